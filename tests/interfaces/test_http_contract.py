"""What the OpenAPI document says holds: whatever it allows is answered as it says, and nothing breaks the server.

Schemathesis makes up requests from the document, good ones and bad ones, and compares every answer with it.
"""

from __future__ import annotations

from collections.abc import Iterator

import pytest
import schemathesis
from hypothesis import HealthCheck, settings
from schemathesis.checks import positive_data_acceptance
from schemathesis.config import SchemathesisConfig

import ebbing
from ebbing.interfaces.http_api import Settings
from ebbing.interfaces.http_api.openapi import document
from ebbing.testing import FakeEmbedder
from tests.interfaces.web import Web, web
from tests.properties import examples


@schemathesis.serializer("application/x-ndjson")
def lines(_: schemathesis.SerializationContext, value: object) -> bytes:
    """What an import is sent: whatever was made up, as it is."""
    return value if isinstance(value, bytes) else str(value).encode("utf-8", "replace")


SCHEMA = schemathesis.openapi.from_dict(
    document(), config=SchemathesisConfig.from_dict({"generation": {"with-security-parameters": False}})
)


@pytest.fixture(scope="module")
def served(tmp_path_factory: pytest.TempPathFactory) -> Iterator[tuple[Web, str]]:
    """A server with a few memories, and a token with every right."""
    path = tmp_path_factory.mktemp("contract") / "memory.db"
    unlimited = Settings(requests_per_minute=0, strangers_per_minute=0)
    with ebbing.open(path, embedder=FakeEmbedder(), judge="off") as engine, web(engine, unlimited) as running:
        for number in range(5):
            engine.remember(f"fact number {number} about tea")
        yield running, running.token("everything")


@SCHEMA.parametrize()
@settings(examples(20), suppress_health_check=[*HealthCheck])
def test_every_answer_is_as_the_document_says(case: schemathesis.Case, served: tuple[Web, str]) -> None:
    """A schema cannot say which categories a policy has or what a duration is, so good data may still be refused."""
    web_, token = served
    case.call_and_validate(
        base_url=web_.address,
        headers={"Authorization": f"Bearer {token}"},
        excluded_checks=[positive_data_acceptance],
    )
