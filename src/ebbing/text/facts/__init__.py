"""English grammar as far as rules see it: words, what each is in its sentence, and what sentences are joined of."""
