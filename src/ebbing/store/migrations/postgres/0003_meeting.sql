-- What waits for a person to look at it: few, and found without looking at the rest.
--
-- Beside its words a memory stands under its points (reading/points.py), by which statements that may say the same or
-- contradict each other meet. They are rows of `words` like any other; what was remembered before has none until
-- `ebbing doctor --repair` makes them.

CREATE INDEX memories_unsettled ON memories (owner, id) WHERE contested;
CREATE INDEX archive_unsettled ON archive (owner, id) WHERE contested AND status = 'superseded' OR status = 'quarantined';
