"""Housekeeping: rotate documents that people append to, verify what was rotated, retire, migrate; only when asked."""
