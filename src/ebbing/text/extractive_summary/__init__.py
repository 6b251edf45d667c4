"""Several texts as one shorter text made of their own sentences."""
