"""The questions of the lessons: not graded, answered in the notebook, with a reply for each option.

A question's text stands in the lesson; here are only the replies, as catalogue messages. A wrong option is a misconception.
"""

from __future__ import annotations

from dataclasses import dataclass

from bentocola.cloud.cloud import Cloud
from bentocola.messages import listed
from bentocola.signs import symbol

__all__ = ["QUESTIONS", "Question", "reply"]


@dataclass(frozen=True)
class Question:
    """`right`: the letter of the option that holds. `replies`: by letter; `misconceptions`: by the letter of a wrong option.

    `number`: as the lesson counts its questions. `is_paired`: one of the two of a review or of the end, called first and second.
    """

    number: int
    right: str
    replies: dict[str, str]
    misconceptions: dict[str, str]
    is_paired: bool = False


QUESTIONS = {
    "m01-event": Question(
        number=1,
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
        number=2,
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
        number=3,
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
        number=1,
        is_paired=True,
        right="a",
        replies={
            "a": "Yes: at least once, and usually within seconds. The pipeline must not depend on more.",
            "b": "Usually it is quick. How long did we say that it may take?",
            "c": "S3 has the same kind of promise as the queue. Which words does it use?",
        },
        misconceptions={"b": "event-once", "c": "event-once"},
    ),
    "m01-exit-number": Question(
        number=2,
        is_paired=True,
        right="b",
        replies={
            "a": "Try it: boto3 asks for another type there.",
            "b": "Yes: the N says that it is a number, and the text carries it without losing a digit.",
            "c": "With S it would be a text for DynamoDB, and this table's order id is a number.",
        },
        misconceptions={"a": "number-is-number", "c": "number-is-number"},
    ),
    "m05-review-return": Question(
        number=1,
        is_paired=True,
        right="b",
        replies={
            "a": "In module 01 you received a message and moved the clock 30 seconds. What came the second time?",
            "b": "Yes: nobody deleted it, so it comes again, under a new receipt handle.",
            "c": "At least once is what the queue promises. Does twice break that?",
        },
        misconceptions={"a": "receive-removes", "c": "once"},
    ),
    "m05-review-refused": Question(
        number=2,
        is_paired=True,
        right="a",
        replies={
            "a": "Yes. What that item holds is another question, and today you ask it.",
            "b": "The table stayed as it was. What does the refusal tell you about it?",
            "c": "The condition names one attribute. How many items does DynamoDB look at?",
            "d": "Think of the cell in module 01 without its condition: which writes were accepted?",
        },
        misconceptions={"b": "refused-is-crash", "c": "condition-scans", "d": "put-inserts"},
    ),
    "m05-guard": Question(
        number=1,
        right="c",
        replies={
            "a": "If DynamoDB limits the calls, that is an error too. Is anything stored then?",
            "b": "In your cell, the third call was refused as well. Was its work done?",
            "c": "Yes: the result is there, and it is the one that this job asks for.",
            "d": "The same job sent again has a new id. Would you recognise it?",
        },
        misconceptions={"a": "catch-all", "b": "refused-is-crash", "d": "message-id-key"},
    ),
    "m05-acts": Question(
        number=2,
        right="c",
        replies={
            "a": "The condition belongs to the write. Who deletes, and when? Look for both steps in the trace.",
            "b": "Count the e-mails in the cell above, with the line in both places.",
            "c": "Yes: the table is protected, and the rest has to live with a repeat.",
            "d": "What does the queue know about the run that stopped? Walk through the steps once more.",
        },
        misconceptions={"a": "exactly-once", "b": "exactly-once", "d": "once"},
    ),
    "m05-order": Question(
        number=3,
        right="b",
        replies={
            "a": "In which order did the six messages come when you shuffled them? Which promise was broken?",
            "b": "Yes: best effort. Your result must not depend on it.",
            "c": "In the cell there was one consumer. In which order did it receive?",
        },
        misconceptions={"a": "order", "c": "order"},
    ),
    "m05-deleted": Question(
        number=4,
        right="b",
        replies={
            "a": "Look at the two numbers in the last line of the cell: how often did the one id come?",
            "b": "Yes: it needs no case of its own.",
            "c": "The message was deleted. Was the order in the table?",
        },
        misconceptions={"a": "deleted-is-gone", "c": "deleted-is-gone"},
    ),
    "m05-fifo": Question(
        number=5,
        right="d",
        replies={
            "a": "What did S3 answer when you gave it that queue?",
            "b": "How long did the queue remember the id in your cell?",
            "c": "How many receptions did the cell print for one message?",
            "d": "Yes. Whoever crashes or sends again later still needs the guard.",
        },
        misconceptions={"a": "s3-fifo", "b": "fifo-forever", "c": "fifo-runs-once"},
    ),
    "m05-count": Question(
        number=6,
        right="c",
        replies={
            "a": "And without the condition? How many items would a second write under the same key leave?",
            "b": "Count the lines with RESULT for order 3.",
            "c": "Yes: a number of items does not tell what was there before.",
        },
        misconceptions={"a": "put-inserts", "b": "once"},
    ),
    "m05-exit-removed": Question(
        number=1,
        is_paired=True,
        right="b",
        replies={
            "a": "Where would DynamoDB look that up? Try it in the last cell, the one for those with time left.",
            "b": "Yes: the condition knows what is there now, and nothing else.",
            "c": "Idea 3 had such a message. And somebody can send the job again at any time.",
        },
        misconceptions={"a": "exactly-once", "c": "deleted-is-gone"},
    ),
    "m05-exit-promise": Question(
        number=2,
        is_paired=True,
        right="b",
        replies={
            "a": "From end to end? Think of the e-mail, and of the run that stopped.",
            "b": "Yes: that is what you showed, no more and no less.",
            "c": "Which of the two did the queue promise?",
        },
        misconceptions={"a": "exactly-once", "c": "order"},
    ),
}


def reply(cloud: Cloud, question: str, answer: object) -> None:
    """Print one line: the question's name, whether `answer`, a letter, is right, and the reply to it.

    None, or anything that is no option, gets a sentence that says what to do.
    """
    asked = QUESTIONS[question]
    letter = answer.strip().lower() if isinstance(answer, str) else answer
    mark = ""
    if letter is None:
        said = cloud.say("Write the letter of your answer between quotation marks, and run the cell again.")
    elif not isinstance(letter, str) or letter not in asked.replies:
        letters = listed(f'"{option}"' for option in asked.replies)
        said = cloud.say("The options are {letters}; the answer was {answer}.", letters=letters, answer=repr(answer))
    elif letter == asked.right:
        mark, said = f"{symbol(cloud.edition, 'full')} ", cloud.say(asked.replies[letter])
    else:
        mark, said = (
            f"{symbol(cloud.edition, 'none')} ",
            cloud.say("Not yet. {hint}", hint=cloud.say(asked.replies[letter])),
        )
    print(mark + cloud.say("{question}: {reply}", question=_name(cloud, asked), reply=said))


def _name(cloud: Cloud, asked: Question) -> str:
    if not asked.is_paired:
        return cloud.say("Question {number}", number=asked.number)
    return cloud.say("First question") if asked.number == 1 else cloud.say("Second question")
