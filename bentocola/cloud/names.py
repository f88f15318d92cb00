"""The names that differ between the editions of the course, as data. The parity tests read the same table."""

from __future__ import annotations

from dataclasses import dataclass

__all__ = ["EDITIONS", "Names"]


@dataclass(frozen=True)
class Names:
    """One edition's names: of resources, of people, and of the few words that a run cell prints."""

    edition: str
    bucket: str
    queue: str
    table: str
    prefix: str
    customers: tuple[str, str, str]
    """As they stand in keys and items: plain ASCII."""
    first_key: str
    second_key: str
    repaired_key: str
    native_key: str
    """The first order's key as its customer would write it: it reaches the queue URL-encoded."""
    spaced_key: str
    """A key with a space in its customer's name."""
    broken: str
    """A message body that is no JSON."""
    done: str
    left: str


EDITIONS = {
    "es": Names(
        edition="es",
        bucket="tienda-subidas",
        queue="tienda-pedidos",
        table="tienda-tabla",
        prefix="pedidos/",
        customers=("lucia", "marta", "pablo"),
        first_key="pedidos/lucia/3.json",
        second_key="pedidos/marta/7.json",
        repaired_key="pedidos/pablo/9.json",
        native_key="pedidos/lucía/3.json",
        spaced_key="pedidos/lucia ruiz/3.json",
        broken="roto",
        done="borrados:",
        left="quedan:",
    ),
    "ja": Names(
        edition="ja",
        bucket="bento-uploads",
        queue="bento-orders",
        table="bento-table",
        prefix="orders/",
        customers=("sato", "tanaka", "suzuki"),
        first_key="orders/sato/3.json",
        second_key="orders/tanaka/7.json",
        repaired_key="orders/suzuki/9.json",
        native_key="注文/佐藤/3.json",
        spaced_key="orders/sato taro/3.json",
        broken="broken",
        done="消した:",
        left="残した:",
    ),
}
