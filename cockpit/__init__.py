"""Cockpit: what a repository records about the coding agents at work in it, read and shown.

The house, and the only direction in which its parts import each other::

    surfaces (html, api, mcp)  ->  reads (one module a question)  ->  store (all input)  ->  formats (pure)

A module of ``formats`` turns text into values. ``store`` is the only reader of files and of git for whatever answers a
read. ``reads`` answers a question from one :class:`~cockpit.store.snapshot.Snapshot`. A surface lays an answer out and
decides nothing. ``recorder``, ``housekeeping``, ``handoffs`` and ``hygiene`` write, on a person's command or a hook's,
and nothing that serves imports them.
"""

__version__ = "0.1.0"
