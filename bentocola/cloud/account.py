"""Whose the local cloud is, and where: the account and the region that everything is in unless a call says otherwise."""

from __future__ import annotations

__all__ = ["ACCOUNT", "DEFAULT_REGION"]

ACCOUNT = "123456789012"
DEFAULT_REGION = "us-east-1"
