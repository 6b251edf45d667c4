"""What another policy would have done, and which one an owner's own history asks for. Reads; changes nothing."""
