"""The one writer. Nothing that serves a page imports it; it writes in the formats that the readers read."""
