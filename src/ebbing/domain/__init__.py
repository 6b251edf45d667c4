"""Values and arithmetic: memories, results, errors, time, policies, forgetting curves. No I/O."""
