"""What a text says, read by rules: its sentences, its dates, what it claims of whom. No model, no clock, no store."""
