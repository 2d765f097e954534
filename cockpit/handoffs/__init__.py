"""Handoff letters written, consumed, checked, exported and verified: only when asked."""
