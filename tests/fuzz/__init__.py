"""Whole stores, broken at random: ``python -m tests.fuzz`` (that is ``make fuzz``).

A real repository with a layer in it is copied, mutated step by step and mended again. After each step everything that
answers must keep its promises, and a checkout that saw the store before must answer what a new one answers.
"""
