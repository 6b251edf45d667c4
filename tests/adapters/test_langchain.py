"""LangChain over Ebbing: the middleware, the retriever, the tools."""

from __future__ import annotations

import asyncio
from types import SimpleNamespace
from typing import Any

from ebbing.adapters.langchain import EbbingMiddleware, EbbingRetriever, langchain_tools
from ebbing.engine import Engine
from tests.adapters.table import LLM, REAL, needs_llm, needs_real


def message(kind: str, text: str, id: str | None = None) -> Any:
    return SimpleNamespace(type=kind, text=text, id=id)


class Request(SimpleNamespace):
    """What a middleware is given before a model is asked."""

    def override(self, **changes: Any) -> Request:
        return Request(**{**vars(self), **changes})


def asked(question: str, runtime: object, *after: Any) -> Request:
    return Request(messages=[message("human", question, "m1"), *after], system_message=None, runtime=runtime)


def test_a_retriever_gives_documents_with_what_is_known_of_them(memory: Engine) -> None:
    """`k` may be given to the constructor and to a call."""
    for name in ("Ada", "Grace", "Mara", "Edith"):
        memory.remember(f"{name} drinks green tea in the morning")
    retriever = EbbingRetriever(engine=memory, k=3)
    found = retriever.invoke("who drinks green tea?")
    assert len(found) == 3
    assert len(retriever.invoke("who drinks green tea?", k=1)) == 1
    assert memory.get(found[0].id).text == found[0].page_content
    assert set(found[0].metadata) == {"score", "strength", "category", "scope", "tags", "created_at"}


def test_a_middleware_adds_the_context_to_this_request_alone(memory: Engine) -> None:
    """The state of the agent never holds it; a loop over tools is one use."""
    memory.remember("Mara lives in Munich")
    middleware = EbbingMiddleware(memory)
    runtime = object()
    request = asked("where does Mara live?", runtime)
    shown = middleware.wrap_model_call(request, lambda one: one.system_message.content)
    again = asked("where does Mara live?", runtime, message("ai", ""), message("tool", "42"))
    assert middleware.wrap_model_call(again, lambda one: one.system_message.content) == shown
    assert "Mara lives in Munich" in shown
    assert request.system_message is None
    assert [one.recall_count for one in memory.list()] == [1]
    unknown = asked("who won the chess match?", runtime)
    assert middleware.wrap_model_call(unknown, lambda one: one.system_message) is None


def test_a_middleware_learns_when_the_agent_is_done(memory: Engine) -> None:
    """Handed the whole state after every run, it learns each message once."""
    middleware = EbbingMiddleware(memory, scope="/user/mara")
    state = {"messages": [message("human", "I live in Munich.", "m1"), message("ai", "Noted.", "m2")]}
    middleware.after_agent(state, None)
    asyncio.run(middleware.aafter_agent(state, None))
    [learned] = memory.list()
    assert (str(learned.scope), learned.recall_count) == ("/user/mara", 0)
    assert "Munich" in learned.text


def test_the_tools_have_the_declared_schema(memory: Engine) -> None:
    """As a JSON schema, which LangChain passes on."""
    recall, remember, *_ = langchain_tools(memory)
    assert "Mara" in remember.invoke({"text": "Mara lives in Munich"})
    assert "Munich" in recall.invoke({"query": "where does Mara live?"})
    assert recall.args_schema["required"] == ["query"]
    assert [tool.name for tool in EbbingMiddleware(memory, tools=["recall"]).tools] == ["recall"]


@needs_real
def test_an_agent_recalls_and_learns(memory: Engine) -> None:
    """With LangChain's agent and a fake model, sync and async."""
    from langchain.agents import create_agent
    from langchain_core.language_models.fake_chat_models import GenericFakeChatModel
    from langchain_core.messages import AIMessage

    seen: list[Any] = []

    class Model(GenericFakeChatModel):
        def _generate(self, messages: Any, *given: Any, **more: Any) -> Any:
            seen.append(messages)
            return super()._generate(messages, *given, **more)

        def bind_tools(self, tools: Any, **given: Any) -> Any:
            return self

    memory.remember("Mara lives in Munich")
    model = Model(messages=iter([AIMessage("In Munich."), AIMessage("Rex.")]))
    agent = create_agent(model, middleware=[EbbingMiddleware(memory, tools=["recall"])], system_prompt="Be brief.")
    first = agent.invoke({"messages": [("user", "where does Mara live? My dog is called Rex.")]})
    assert [one.type for one in first["messages"]] == ["human", "ai"]
    assert seen[0][0].text.startswith("Be brief.\n\n<ebbing-memory")
    second = asyncio.run(agent.ainvoke({"messages": [("user", "what is the dog called?")]}))
    assert [one.type for one in second["messages"]] == ["human", "ai"]
    assert "Rex" in seen[1][0].text


@needs_llm
def test_an_agent_with_a_real_model_learns_in_one_conversation_and_knows_in_the_next(memory: Engine) -> None:
    """End to end on LangGraph: the store, the middleware and a model of 135 million parameters. What it answers is not
    judged; what reaches it is."""
    from langchain.agents import create_agent
    from langchain_openai import ChatOpenAI

    from ebbing.adapters.langgraph import EbbingStore

    model = ChatOpenAI(model="smollm2", base_url=LLM, api_key="none", max_completion_tokens=24, timeout=600)
    seen: list[str] = []

    class Seen(EbbingMiddleware):
        def wrap_model_call(self, request: Any, handler: Any) -> Any:
            def look(given: Any) -> Any:
                seen.append("" if given.system_message is None else given.system_message.text)
                return handler(given)

            return super().wrap_model_call(request, look)

    agent = create_agent(model, middleware=[Seen(memory, scope="/user/mara")], store=EbbingStore(memory))
    first = agent.invoke({"messages": [("user", "I live in Munich with my two cats.")]})
    second = agent.invoke({"messages": [("user", "Where do I live with my cats?")]})
    assert first["messages"][-1].text
    assert second["messages"][-1].text
    assert seen[0] == ""
    assert "Munich" in seen[1]


if REAL is not None:
    from langchain_tests.integration_tests import RetrieversIntegrationTests

    from ebbing.testing import in_memory

    class TestTheConformanceKitOfLangChain(RetrieversIntegrationTests):
        """`langchain-tests` for retrievers."""

        @property
        def retriever_constructor(self) -> Any:
            return EbbingRetriever

        @property
        def retriever_constructor_params(self) -> dict[str, Any]:
            engine = in_memory()
            for name in ("Ada", "Grace", "Mara", "Edith"):
                engine.remember(f"{name} drinks green tea in the morning")
            return {"engine": engine}

        @property
        def retriever_query_example(self) -> str:
            return "who drinks green tea?"
