"""The questions of the lessons: not graded, answered in the notebook, with a reply for each option.

A question's text stands in the lesson; here are only the replies, as catalogue messages. A wrong option is a misconception.
"""

from __future__ import annotations

from dataclasses import dataclass

from bentocola.cloud.cloud import Cloud

__all__ = ["QUESTIONS", "Question", "reply"]


@dataclass(frozen=True)
class Question:
    """`right`: the letter of the option that holds. `replies`: by letter; `misconceptions`: by the letter of a wrong option."""

    right: str
    replies: dict[str, str]
    misconceptions: dict[str, str]


QUESTIONS = {
    "m01-event": Question(
        right="b",
        replies={
            "a": "The first message in the queue announced no object at all. Look at the cell with the upload again: "
            "which fields did it have?",
            "b": "Yes: text, and a list inside that may hold none, one or several records.",
            "c": "Compare what you uploaded with what arrived. What became of the accent, or of the characters?",
        },
        misconceptions={"a": "test-event", "c": "key-as-is"},
    ),
    "m01-once": Question(
        right="b",
        replies={
            "a": "Nothing broke: at least once is what a standard queue promises. How often is at least once?",
            "b": "Yes: the write with its condition made the second delivery harmless.",
            "c": "Look at the table: would a crash have changed anything in it? "
            "The refusal says that the order is already stored.",
            "d": "The same order sent twice had two ids. What do the two messages share?",
        },
        misconceptions={"a": "once", "c": "refused-is-crash", "d": "message-id-key"},
    ),
    "m01-delete": Question(
        right="d",
        replies={
            "a": "And if the work fails a moment later? Then nobody has that order any more.",
            "b": "Receive without deleting, move the clock 30 seconds forward and receive again. Is it gone?",
            "c": "There Lambda deletes, after your handler has answered. Who deletes when the loop is your own?",
            "d": "Yes: work, save, and only then delete.",
        },
        misconceptions={"a": "delete-first", "b": "receive-removes", "c": "handler-deletes"},
    ),
    "m01-exit-event": Question(
        right="a",
        replies={
            "a": "Yes: at least once, and usually within seconds. The pipeline must not depend on more.",
            "b": "Usually it is quick. How long did we say that it may take?",
            "c": "S3 has the same kind of promise as the queue. Which words does it use?",
        },
        misconceptions={"b": "event-once", "c": "event-once"},
    ),
    "m01-exit-number": Question(
        right="b",
        replies={
            "a": "Try it: boto3 asks for another type there.",
            "b": "Yes: the N says that it is a number, and the text carries it without losing a digit.",
            "c": "With S it would be a text for DynamoDB, and this table's order id is a number.",
        },
        misconceptions={"a": "number-is-number", "c": "number-is-number"},
    ),
}


def reply(cloud: Cloud, question: str, answer: object) -> None:
    """Print the reply to `answer`, a letter. None, or anything that is no option, gets a sentence that says what to do."""
    options = QUESTIONS[question].replies
    letter = answer.strip().lower() if isinstance(answer, str) else answer
    if letter is None:
        print(cloud.say("Write the letter of your answer between quotation marks, and run the cell again."))
    elif not isinstance(letter, str) or letter not in options:
        letters = ", ".join(f'"{option}"' for option in options)
        print(cloud.say("The options are {letters}; the answer was {answer}.", letters=letters, answer=repr(answer)))
    else:
        print(cloud.say(options[letter]))
