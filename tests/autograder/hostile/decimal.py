# line: a numpy scalar as result
# does: Returns a Decimal and a Fraction.
# course: avisos
# gets: all

# %% total
from decimal import Decimal
from fractions import Fraction


def total(amounts):
    return Decimal(sum(amounts)) if len(amounts) > 2 else Fraction(sum(amounts))
