"""`make mutants`: how well the checks tell wrong answers from right ones, and name the belief behind a wrong one. A table.

Each answer is tried by the graded check, with its default budget: wrong ones over 20 seeds, right ones over 200. What a wrong
one is named by is what its first failing test cell says, with the story shrunk; "misled" are those of all failing test cells
that name another belief than may be named. Times are of this run and machine.
"""

from __future__ import annotations

import argparse
import multiprocessing
import os
import statistics
import time
from collections.abc import Iterator
from dataclasses import dataclass

from bentocola.checks.misconceptions import MISCONCEPTIONS
from tests.mutants import Mutant, mutants
from tests.mutants.trying import Story, catch, stories


@dataclass
class Tried:
    """What came of one answer. `caught`: in how many seeds; `stories`: what each failing test cell says, with the first seed."""

    mutant: Mutant
    seeds: int
    caught: int = 0
    stories: tuple[Story, ...] = ()
    passed_seconds: float = 0.0
    failed_seconds: float = 0.0
    failed: str = ""

    @property
    def is_named_rightly(self) -> bool:
        """Whether its first story names what may be named; no misconception, where naming none is right."""
        return bool(self.stories) and self._may_say(self.stories[0].named, "none" in self.mutant.names)

    @property
    def misled(self) -> int:
        """How many of its stories name a misconception that is not behind it."""
        return sum(not self._may_say(story.named, may_name_none=True) for story in self.stories)

    def _may_say(self, named: str | None, may_name_none: bool) -> bool:
        return named in self.mutant.names or (may_name_none and named not in MISCONCEPTIONS)


def try_out(job: tuple[Mutant, range, str]) -> Tried:
    """Try one answer over so many seeds, in an edition."""
    mutant, seeds, language = job
    found = Tried(mutant, len(seeds))
    for seed in seeds:
        began = time.perf_counter()
        failed, checks = catch(mutant, seed, language)
        if failed is None:
            found.passed_seconds = max(found.passed_seconds, (time.perf_counter() - began) / checks)
        else:
            found.caught += 1
            found.failed = failed
            if mutant.right:
                break
    if not mutant.right:
        began = time.perf_counter()
        found.stories = tuple(stories(mutant, seeds[0], language))
        found.failed_seconds = (time.perf_counter() - began) / max(1, len(found.stories))
    return found


def table(tried: list[Tried]) -> Iterator[str]:
    """Yield the table's lines: one row a group, blind ones apart."""
    columns = (
        f"{'caught':>10}{'named':>10}{'misled':>10}{'accepted':>10}{'events':>8}{'s passing':>11}{'s failing':>11}"
    )
    yield f"{'':24}{'answers':>8}{columns}"
    for blind in (False, True):
        for assignment in ("01", "05"):
            group = [one for one in tried if one.mutant.blind is blind and one.mutant.assignment == assignment]
            yield from rows(f"{assignment}{' blind' if blind else ''}", group)
    yield from rows("all", tried)


def rows(label: str, group: list[Tried]) -> Iterator[str]:
    """Yield the rows of a group: its wrong answers and its right ones."""
    wrong = [one for one in group if not one.mutant.right]
    right = [one for one in group if one.mutant.right]
    if wrong:
        caught = sum(one.caught == one.seeds for one in wrong)
        named = sum(one.is_named_rightly for one in wrong)
        told = [story for one in wrong for story in one.stories]
        misled = sum(one.misled for one in wrong)
        events = statistics.median(one.stories[0].events if one.stories else 0 for one in wrong)
        yield (
            f"{label + ' wrong':24}{len(wrong):>8}{caught / len(wrong):>10.1%}{named / len(wrong):>10.1%}"
            f"{misled / max(1, len(told)):>10.1%}{'':>10}{events:>8g}"
            f"{'':>11}{statistics.median(one.failed_seconds for one in wrong):>11.2f}"
        )
    if right:
        accepted = sum(not one.caught for one in right)
        seconds = statistics.median(one.passed_seconds for one in right)
        yield f"{label + ' right':24}{len(right):>8}{'':>30}{accepted / len(right):>10.1%}{'':>8}{seconds:>11.2f}"


def main() -> int:
    """Run it; the exit status is 0 when every wrong answer was caught in every seed and every right one accepted."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--seeds", type=int, default=20, help="for wrong answers")
    parser.add_argument("--right-seeds", type=int, default=200)
    parser.add_argument("--first-seed", type=int, default=0)
    parser.add_argument("--only", default="", help="a part of the names")
    parser.add_argument("--workers", type=int, default=os.cpu_count() or 1)
    parser.add_argument("--quiet", action="store_true", help="no line for each answer that is not as it should be")
    asked = parser.parse_args()
    chosen = [mutant for mutant in mutants() if asked.only in str(mutant)]
    jobs = []
    for n, mutant in enumerate(chosen):
        seeds = asked.right_seeds if mutant.right else asked.seeds
        jobs.append((mutant, range(asked.first_seed, asked.first_seed + seeds), ("es", "ja")[n % 2]))
    tried = []
    with multiprocessing.get_context("spawn").Pool(asked.workers, maxtasksperchild=5) as pool:
        for one in pool.imap_unordered(try_out, jobs):
            tried.append(one)
            if asked.quiet:
                continue
            if one.mutant.right and one.caught:
                print(f"✗ {one.mutant}: failed by {one.failed}", flush=True)
            if not one.mutant.right and one.caught < one.seeds:
                print(f"✗ {one.mutant}: caught in {one.caught} of {one.seeds} seeds", flush=True)
            if not one.mutant.right and one.caught and not one.is_named_rightly:
                names = "|".join(sorted(one.mutant.names))
                first = one.stories[0]
                print(
                    f"~ {one.mutant}: named {first.named} by {first.scenario}/{first.breach}, and it is {names}",
                    flush=True,
                )
    print("\n".join(table(tried)))
    return 0 if all((one.caught == 0) if one.mutant.right else one.caught == one.seeds for one in tried) else 1
