"""One folder a mistake: `command.txt`, mostly an input file, and `expected.txt`, which is what people are told."""
