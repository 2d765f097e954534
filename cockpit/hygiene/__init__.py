"""Context hygiene: audit what accumulates, remove what a run says is gone, resume from the disk; only when asked."""
