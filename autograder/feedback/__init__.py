"""The pages that students get back, in Spanish and in Japanese, from the record of a verdict and nbgrader's gradebook."""

from autograder.feedback.folder import put
from autograder.feedback.page import make
from autograder.feedback.sheet import Given, Grades

__all__ = ["Given", "Grades", "make", "put"]
