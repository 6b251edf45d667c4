"""Programs that use Ebbing: writing their configuration, and the hooks they call."""
