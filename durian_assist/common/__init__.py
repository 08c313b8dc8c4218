"""What the three games share: findings, score lines, readings, names."""
