"""Side-by-side measurements: every figure is a ratio against something that ran beside it, never a number of seconds.

What is measured and what it is held against take turns (A B A B …), so that a busy machine slows both; a figure is
the median of the ratios of neighbours, with the smallest and the largest. ``python -m bench --list`` names them all.
"""
