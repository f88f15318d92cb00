"""What helps, by name: each cause of a record, each refusal, each kind of error that beginners meet. Texts only.

All of it speaks to the student, in one language at a time.
"""

from __future__ import annotations

from dataclasses import dataclass

from autograder.records import LimitHit
from autograder.voice import Say

__all__ = ["Words", "of_cause", "of_exception", "of_limit", "of_refusal"]


@dataclass(frozen=True)
class Words:
    """One explanation. Texts may hold code between backticks; an empty one is left out."""

    happened: str = ""
    works: str = ""
    next: str = ""
    story: tuple[str, ...] = ()
    """The events that led to what happened, in order."""
    plain: str = ""
    """What is said without a label in front of it."""
    line: str = ""
    """A line of code that it is about: the student's own, or one of a test that they can see."""
    where: str = ""
    """In which of the student's cells that line stands, if it is theirs."""
    language: str = ""
    """Where the texts are in another language than the page's: which."""


def of_exception(name: str, say: Say) -> tuple[str, str]:
    """Return how the exceptions that beginners meet work, and what to try; of any other, what holds for all."""
    match name:
        case "NotImplementedError":
            return (
                say("`NotImplementedError` is what a cell raises while its answer is still to be written."),
                say("write your code in the cell and delete the line with `raise NotImplementedError`."),
            )
        case "NameError" | "UnboundLocalError":
            return (
                say("a name exists once the line that binds it has run. Grading runs your cells from top to bottom."),
                say("restart the kernel and run all cells. Which one is the first to stop?"),
            )
        case "SyntaxError" | "IndentationError" | "TabError":
            return (
                say("Python reads a whole cell before it runs it. With a slip in one line, nothing of the cell runs."),
                say("run the cell alone and look where Python points. Often the slip is on the line before."),
            )
        case "KeyError" | "IndexError":
            return (
                say("asking for a key or a position that is not there is an error, not an empty answer."),
                say("print what you are reading from, just before that line. Does it hold what you ask for?"),
            )
        case "TypeError" | "AttributeError":
            return (
                say("each type has its own operations. This value is of another type than the line expects."),
                say("print `type(…)` of each value on that line. Which one surprises you?"),
            )
        case "RecursionError":
            return (
                say("a function that calls itself has to come to an end, and this one went on to Python's limit."),
                say("follow the calls on paper with the smallest input. Which call should be the last?"),
            )
        case "ModuleNotFoundError" | "ImportError":
            return (
                say("grading uses the course's installation. What you installed on your own is not there."),
                say("restart the kernel and run the imports alone. Does the task need that package?"),
            )
        case "FileNotFoundError" | "PermissionError":
            return (
                say("grading runs your notebook in an empty folder of its own, with the assignment's files only."),
                say("use relative names, and create in your code what it needs. Does it run in a new folder?"),
            )
        case _:
            return (
                say("an error that nobody catches ends the call, and the test with it."),
                say("call your function in a cell of your own with the test's values. At which line does it stop?"),
            )


def of_refusal(code: str, say: Say, line: str = "") -> Words:
    """Return why nothing could be graded, by the note's code, and what a student can do. `line`: where the file breaks."""
    match code:
        case "no-notebook":
            return Words(
                say("there is no notebook of this name in what you handed in."),
                next=say(
                    "look for the notebook on your computer and ask your teacher whether you may hand it in again."
                ),
            )
        case "link" | "folder" | "not-a-file" | "unreadable":
            return Words(
                say("what was handed in under the notebook's name is no file that can be opened."),
                next=say(
                    "hand in the notebook itself, not a link or a folder. Ask your teacher whether you still may."
                ),
            )
        case "too-large" | "too-many-cells":
            return Words(
                say("the notebook is larger than what is read."),
                say("what a notebook printed is kept in its file, and can make it very large."),
                say("clear all outputs, save the notebook and ask your teacher whether you may hand it in again."),
            )
        case _:
            return Words(
                say("the file is no whole notebook: it cannot be read on from line {line}.", line=line)
                if line
                else say("the file is no whole notebook: it is empty, cut off, or of another kind."),
                next=say(
                    "open the file in JupyterLab. If it opens, save it and ask whether you may hand it in again. If it does "
                    "not open, look for an earlier copy in the folder `.ipynb_checkpoints`, or ask your teacher for help."
                ),
            )


def of_limit(hit: LimitHit, say: Say) -> Words:
    """Return what to say of a cell that was stopped or cut at a limit."""
    return of_cause(hit.cause, say, shown=True, seconds=hit.detail.get("seconds", ""))


def of_cause(cause: str, say: Say, *, shown: bool, seconds: str = "") -> Words:
    """Return what to say of a cause by its name, see `records.CAUSES`. `seconds`: how long the cell could take, if known."""
    match cause:
        case "time":
            return Words(
                say("the {seconds} seconds for this cell were over, and it was stopped.", seconds=seconds)
                if seconds
                else say("the time for this cell was over, and it was stopped."),
                say(
                    "a loop ends when its condition changes. If nothing in it changes that condition, it goes on for ever."
                ),
                say("print the loop's values in each round, for three rounds. Do they come nearer to the end?"),
            )
        case "memory":
            return Words(
                say("your code asked for more memory than there is for one submission."),
                say("a list that grows in every round, or a very large number or text, fills the memory."),
                say("print the length of what grows, for a few rounds. Where should it stop?"),
            )
        case "exit":
            return Words(
                say("your code ended Python itself, so nothing after it could run."),
                say("`exit()`, `quit()` and `os._exit()` end the whole notebook, not only a function."),
                say("look for these calls and put `return`, or an exception, in their place."),
            )
        case "signal":
            return Words(
                say("Python was ended from outside while your code ran, so nothing after it could run."),
                say("this comes of `os.kill` and the like, or of a library that crashed."),
                say("restart the kernel and run all cells. Does the kernel die in the same cell?"),
            )
        case "output":
            return Words(
                say("your code printed more than is kept, and the rest was left out. That alone costs no points."),
                say("what is printed is kept in the notebook up to a limit."),
                say("print only what you want to look at: a length, or the first three items."),
            )
        case "processes":
            return Words(
                say("your code started more processes or threads than are allowed."),
                say("each process that starts another one doubles them, until no more fit."),
                say("count how many your code starts. Would one, or none, do as well?"),
            )
        case "disk":
            return Words(
                say("the folder in which your notebook ran was full."),
                say("each submission has a folder of a limited size, and what your code writes stays in it."),
                say("print the size of what you write. Which file need not be written?"),
            )
        case "cloud":
            return Words(
                say("the local cloud refused a request: it was too large, or there were too many."),
                say("the local cloud holds what an exercise needs, and not more."),
                say("count the requests and the bytes that your code sends. Is there a loop that sends again?"),
            )
        case "gone":
            return Words(
                say("this test had no code to try: an earlier cell had ended your notebook."),
                say("cells run from top to bottom in one Python. Once that has ended, the cells below have nothing."),
                say("begin with the cell named under “Limits”. This test can only run once that one does."),
            )
        case "protocol":
            return Words(
                say("what your code answered could not be read."),
                say("a test reads ordinary values: numbers, texts, lists, dicts, and objects of your classes."),
                say("print `type(…)` of what your function returns. Is it what the task asks for?"),
            )
        case "examiner":
            return Words(
                say("the test did not come to an end with what your code gave it."),
                say("a value without an end, or one of enormous size, cannot be compared."),
                say("print the first three items of what your function returns, and its length. Does it end?"),
            )
        case "test-fault":
            return Words(
                plain=say(
                    "This test itself did not work. That has nothing to do with your answer, and your teacher knows of it."
                )
            )
        case "missing":
            return Words(
                say("nothing was handed in for this test."),
                say("the cell or the file was not in what you handed in."),
                say("open the file that you handed in. Is your answer there, and is the file saved?"),
            )
        case _:
            return Words(
                say("your code gave something else than this test expects, or stopped with an error."),
                "",
                say("run this test in your notebook, in the order from top to bottom. What does it say?")
                if shown
                else say(
                    "take the task sentence by sentence and try each with a value of your own. Which one does not hold?"
                ),
            )
