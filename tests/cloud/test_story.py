"""A trace told as a numbered list: one whole scenario, sentence by sentence, in both languages."""

from __future__ import annotations

import contextlib
from typing import Any

import pytest
from botocore.exceptions import ClientError

import bentocola
from bentocola.cloud.cloud import Cloud
from tests.cloud.scene import Scene

# The sentences are as long as they are.
# ruff: noqa: E501
SPANISH = """\
  1. Tu código → PutBucketNotificationConfiguration (tienda-subidas).
  2. S3 envía un evento de prueba a la cola.
  3. La cola guarda m1.
  4. Tu código ← cola: recibe m1.
  5. Tu código → cola: borra m1.
  6. Tu código → DeleteMessage: ya no quedaba nada que borrar.
  7. Tu código → PutObject (tienda-subidas/pedidos/lucía/3.json).
  8. S3 envía un evento a la cola.
  9. La cola guarda m2.
 10. Lambda ← cola: recibe m2.
 11. Empieza la ejecución r1 de la función.
 12. Falla la ejecución r1 con ValueError: 3
 13. El reloj avanza 30 s.
 14. m2 vuelve a estar visible: nadie lo borró.
 15. Lambda ← cola: recibe m2 otra vez (entrega 2).
 16. Empieza la ejecución r2 de la función.
 17. Lambda guarda el elemento lucia#3: es nuevo.
 18. Lambda intenta guardar lucia#3 con PutItem: DynamoDB lo rechaza (ConditionalCheckFailedException). La tabla queda como estaba.
 19. Termina la ejecución r2.
 20. Lambda → cola: borra m2.
 21. Tu código sobrescribe el elemento lucia#3 con otro igual.
 22. Tu código sobrescribe el elemento lucia#3: antes era distinto.
 23. Tu código borra el elemento lucia#3.
 24. Tu código → cola: envía m3.
 25. Tu código ← cola: recibe m3.
 26. El reloj avanza 5 s.
 27. Tu código ← cola: pide mensajes y no llega ninguno.
 28. Tu código → PutObject (otra/a): rechazado con NoSuchBucket.
 29. Tu código → DeleteObject (tienda-subidas/pedidos/lucía/3.json)."""

JAPANESE = """\
  1. コード → PutBucketNotificationConfiguration（bento-uploads）。
  2. S3がキューへテストイベントを送りました。
  3. キューにm1が入りました。
  4. キューからコードへm1が届きました。
  5. コードがキューのm1を削除しました。
  6. コード → DeleteMessage：削除するものはもうありませんでした。
  7. コード → PutObject（bento-uploads/注文/佐藤/3.json）。
  8. S3がキューへイベントを送りました。
  9. キューにm2が入りました。
 10. キューからLambdaへm2が届きました。
 11. 関数の実行r1が始まりました。
 12. 実行r1が失敗しました：ValueError: 3
 13. 時計が30秒進みました。
 14. m2がまた見えるようになりました。だれも削除していないためです。
 15. キューからLambdaへm2がまた届きました（2回目）。
 16. 関数の実行r2が始まりました。
 17. Lambdaが項目sato#3を書き込みました。新しい項目です。
 18. LambdaがPutItemでsato#3を書き込もうとしましたが、DynamoDBが断りました（ConditionalCheckFailedException）。テーブルは元のままです。
 19. 実行r2が終わりました。
 20. Lambdaがキューのm2を削除しました。
 21. コードが項目sato#3を、同じ内容で上書きしました。
 22. コードが項目sato#3を上書きしました。前の内容とは違います。
 23. コードが項目sato#3を削除しました。
 24. コードがキューへm3を送りました。
 25. キューからコードへm3が届きました。
 26. 時計が5秒進みました。
 27. コードがキューに問い合わせました。届いたメッセージはありません。
 28. コード → PutObject（otra/a）：NoSuchBucketで断られました。
 29. コード → DeleteObject（bento-uploads/注文/佐藤/3.json）。"""


def play(scene: Scene) -> None:
    """Let everything happen that a story has a sentence for, and some looking that it leaves out."""
    cloud, customer = scene.cloud, scene.cloud.names.customers[0]

    def fail(event: dict[str, Any], context: Any) -> None:
        raise ValueError(3)

    def save_twice(event: dict[str, Any], context: Any) -> None:
        scene.put(customer)
        with contextlib.suppress(ClientError):
            scene.put(customer)

    scene.announce("s3:ObjectCreated:*")
    (message,) = scene.receive()
    scene.delete(message)
    scene.delete(message)
    scene.upload(cloud.names.native_key)
    cloud.poll_once(scene.queue, fail)
    cloud.clock.advance(30)
    cloud.poll_once(scene.queue, save_twice)
    scene.put(customer, condition=None)
    scene.put(customer, condition=None, status="shipped")
    scene.dynamodb.delete_item(TableName=scene.table, Key=scene.item(customer))
    scene.send("a")
    scene.receive()
    scene.receive(WaitTimeSeconds=5)
    with contextlib.suppress(ClientError):
        scene.s3.put_object(Bucket="otra", Key="a")
    scene.s3.delete_object(Bucket=scene.bucket, Key=cloud.names.native_key)
    scene.dynamodb.scan(TableName=scene.table)
    scene.s3.list_objects_v2(Bucket=scene.bucket)


@pytest.mark.parametrize(("edition", "story"), [("es", SPANISH), ("ja", JAPANESE)], ids=["es", "ja"])
def test_whole_story(edition: str, story: str) -> None:
    """Each thing that happened is one sentence under its step's number; what only looks is left out."""
    cloud = bentocola.start(edition)
    try:
        play(Scene(cloud))

        assert str(cloud.trace) == story
    finally:
        cloud.stop()


@pytest.mark.parametrize(
    ("edition", "sentence"),
    [("es", "Por ahora no hay nada que contar."), ("ja", "まだ何も起きていません。")],
    ids=["es", "ja"],
)
def test_empty_story(edition: str, sentence: str) -> None:
    """A trace without steps says so."""
    cloud = bentocola.start(edition)
    try:
        assert str(cloud.trace) == sentence
    finally:
        cloud.stop()


def test_story_of_nothing_but_looking(scene: Scene) -> None:
    """Calls that only look are steps, and no part of the story."""
    scene.dynamodb.scan(TableName=scene.table)

    assert len(scene.cloud.trace) == 1
    assert str(scene.cloud.trace) == "Por ahora no hay nada que contar."


def test_notebook_shows_the_story(scene: Scene) -> None:
    """A cell that ends with the trace shows the list, not an object's address."""
    shown: list[str] = []

    class Printer:
        text = staticmethod(shown.append)

    scene.send("a")
    scene.cloud.trace._repr_pretty_(Printer(), cycle=False)

    assert shown == ["  1. Tu código → cola: envía m1."]


def test_text_of_others_is_not_taken_for_a_template(scene: Scene) -> None:
    """Braces and percent signs in names and errors come out as they are."""

    def fail(event: dict[str, Any], context: Any) -> None:
        raise KeyError("{who} %s")

    scene.upload("{key}%s")
    scene.cloud.poll_once(scene.queue, fail)
    told = str(scene.cloud.trace).splitlines()

    assert told[0] == "  1. Tu código → PutObject (tienda-subidas/{key}%s)."
    assert told[-1].endswith("Falla la ejecución r1 con KeyError: '{who} %s'")


def test_error_of_several_lines_is_told_in_one(scene: Scene) -> None:
    """An error's own line breaks stay in the run's log; in the story each step is one line."""

    def fail(event: dict[str, Any], context: Any) -> None:
        raise ValueError("uno\n 99. dos")

    scene.send("a")
    scene.cloud.poll_once(scene.queue, fail)

    assert str(scene.cloud.trace).splitlines()[-1] == "  4. Falla la ejecución r1 con ValueError: uno 99. dos"
    assert scene.steps("run_end")[0]["run"]["log"] == ["ValueError: uno\n 99. dos"]


def test_cloud_tells_in_its_own_language(cloud: Cloud) -> None:
    """Two clouds of different editions never mix: the story follows the cloud that runs."""
    cloud.clock.advance(3)
    japanese = bentocola.start("ja")
    japanese.clock.advance(3)

    assert (str(cloud.trace), str(japanese.trace)) == ("  1. El reloj avanza 3 s.", "  1. 時計が3秒進みました。")

    japanese.stop()
