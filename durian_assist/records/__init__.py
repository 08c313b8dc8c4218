"""Records: text that people write to typed values, with spans and faults."""
