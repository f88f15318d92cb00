"""What is fast enough and what is not, measured. `python -m bench` runs every bench; each is one module with a `main()`.

No bench gives a verdict: the figures depend on the machine, so a person reads them, and no test does.
"""
