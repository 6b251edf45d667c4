"""What the verbs share: the context of an operation, and effects on memories that several verbs have."""
