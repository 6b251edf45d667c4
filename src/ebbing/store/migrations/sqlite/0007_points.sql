-- A row keeps the points it stands under (0004_meeting.sql). Reading a text for them takes longer than anything else about
-- moving a memory, and what goes down the ladder is moved by a process that may never have read it. Null: not known, and
-- read from the text when they are needed. Whatever fills the indexes of words anew makes them unknown.

ALTER TABLE memories ADD COLUMN points TEXT;
ALTER TABLE archive ADD COLUMN points TEXT;
