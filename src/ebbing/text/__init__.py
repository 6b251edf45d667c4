"""What a text says and how it is compared, by rules: no model, no clock, no store."""
