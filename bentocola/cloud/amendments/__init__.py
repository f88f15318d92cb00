"""Where moto differs from what AWS documents: one module a service, each difference with its source.

A module offers `install()`, which is idempotent, and `self_test()`, which raises when this moto no longer has what the
amendment builds on. `start` runs the self-tests when it finds a moto that the course was not tested with.
"""

from __future__ import annotations

from types import ModuleType

from bentocola.cloud.amendments import (
    backends,
    dynamodb_checks,
    dynamodb_expressions,
    dynamodb_items,
    dynamodb_requests,
    dynamodb_speed,
    dynamodb_tables,
    dynamodb_transactions,
    dynamodb_values,
    iam_aws_policies,
    iam_bucket_policies,
    iam_documents,
    lambda_functions,
    lambda_mappings,
    logs_events,
    s3_events,
    s3_notifications,
    s3_requests,
    sqs_checks,
    sqs_moves,
    sqs_queues,
    sqs_receive,
    sqs_send,
    sqs_store,
    sts_identity,
)

__all__ = ["AMENDMENTS", "broken", "install"]

AMENDMENTS: tuple[ModuleType, ...] = (
    backends,
    dynamodb_checks,
    dynamodb_expressions,
    dynamodb_items,
    dynamodb_requests,
    dynamodb_speed,
    dynamodb_tables,
    dynamodb_transactions,
    dynamodb_values,
    iam_aws_policies,
    iam_bucket_policies,
    iam_documents,
    lambda_functions,
    lambda_mappings,
    logs_events,
    s3_events,
    s3_notifications,
    s3_requests,
    sqs_store,
    sqs_send,
    sqs_receive,
    sqs_moves,
    sqs_queues,
    sqs_checks,
    sts_identity,
)


def install() -> None:
    """Put every amendment into force for this process."""
    for amendment in AMENDMENTS:
        amendment.install()


def broken(*others: ModuleType) -> list[str]:
    """Return a line for each amendment, or other module with a self-test, that the installed moto breaks."""
    faults = []
    for module in (*AMENDMENTS, *others):
        try:
            module.self_test()
        except Exception as error:  # whatever an unknown moto raises is the finding
            faults.append(f"{module.__name__.rpartition('.')[2]} ({type(error).__name__}: {error})")
    return faults
