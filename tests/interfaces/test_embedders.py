"""Embedders and rerankers besides the one that ships: real models out of folders, and packages that bring their own.

The ONNX models are real (tests/weights.py). fastembed and sentence-transformers are too large to install for a test:
stand-ins with their signatures show what is asked of them.
"""

from __future__ import annotations

import json
import sys
import types
from collections.abc import Callable, Iterator, Sequence
from pathlib import Path
from typing import Any

import numpy as np
import pytest

import ebbing
from ebbing import Invalid, Unavailable
from ebbing.ports.model_client import Models
from ebbing.providers import make_embedder, make_reranker
from ebbing.providers.embeddings import Embeddings
from ebbing.providers.fastembed import FastEmbed
from ebbing.providers.onnx import OnnxEmbedder, OnnxReranker
from ebbing.providers.sentence_transformers import SentenceTransformers
from ebbing.providers.weights_digest import SAMPLE_BYTES, digest
from ebbing.testing import FakeEmbedder, FrozenClock
from tests.weights import ARCTIC_SETTINGS, QUERY_PREFIX, arctic, cross_encoder, linked

CAT, KITTEN, TAXES = "The cat sleeps on the sofa", "A kitten naps on the couch", "Quarterly tax filing deadline"


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The arctic model, with its settings beside it."""
    return linked(arctic(), tmp_path_factory.mktemp("arctic"), **{"ebbing.toml": ARCTIC_SETTINGS})


@pytest.fixture(scope="module")
def embedder(folder: Path) -> OnnxEmbedder:
    return OnnxEmbedder(folder)


def bare(folder: Path, **files: str) -> Path:
    """A folder that looks like a model's, for whatever is decided before anything is loaded."""
    folder.mkdir(exist_ok=True)
    for name, text in {"model.onnx": "weights", "tokenizer.json": '{"model": {}}', **files}.items():
        (folder / name).parent.mkdir(parents=True, exist_ok=True)
        (folder / name).write_text(text, encoding="utf-8")
    return folder


# ONNX: what a real model makes of texts


def test_a_real_model_puts_a_paraphrase_near_and_another_matter_far(embedder: OnnxEmbedder) -> None:
    """One row of length one per text, and meaning that shows without a word in common."""
    vectors = embedder.embed([CAT, KITTEN, TAXES])
    assert vectors.shape == (3, 384)
    assert vectors.dtype == np.float32
    assert np.linalg.norm(vectors, axis=1) == pytest.approx([1, 1, 1], abs=1e-5)
    assert vectors[0] @ vectors[1] > vectors[0] @ vectors[2] + 0.1


def test_equal_texts_have_equal_vectors_in_any_company(embedder: OnnxEmbedder) -> None:
    """Bit for bit, though the model is quantized: alone, between others, twice, from several threads at once."""
    alone = embedder.embed([CAT])[0]
    beside = embedder.embed([TAXES * 20, CAT, "x", KITTEN * 7, CAT])
    one_thread = OnnxEmbedder(embedder.folder.path, threads=1).embed([CAT, TAXES * 20])
    assert np.array_equal(alone, beside[1])
    assert np.array_equal(alone, beside[4])
    assert np.array_equal(one_thread, beside[[1, 0]])


def test_the_prefix_of_a_question_matters(embedder: OnnxEmbedder, folder: Path) -> None:
    """It stands before questions alone; without it another question looks more like one than its answer does."""
    assert np.array_equal(embedder.embed([CAT], query=True), embedder.embed([QUERY_PREFIX + CAT]))
    plain = OnnxEmbedder(folder, query_prefix="")
    assert np.array_equal(plain.embed([CAT], query=True), embedder.embed([CAT]))
    for asked, answer, other in [
        ("What does Ada drink?", "She has green tea each morning", "What does Bob eat?"),
        ("How long does the build take?", "Compiling everything needs nine minutes", "How long is the table?"),
    ]:
        texts = embedder.embed([answer, other])
        told, untold = (texts @ one.embed([asked], query=True)[0] for one in (embedder, plain))
        assert told[0] > told[1]
        assert untold[0] < untold[1]


def test_a_text_longer_than_the_model_reads_is_cut(embedder: OnnxEmbedder, folder: Path) -> None:
    """What stands behind the limit changes nothing; a lower limit reads less."""
    long = f"{CAT} " * 200
    assert np.array_equal(embedder.embed([long])[0], embedder.embed([long + TAXES])[0])
    short = OnnxEmbedder(folder, tokens_max=8).embed([CAT, f"{CAT} {TAXES}"])
    assert np.array_equal(short[0], short[1])


@pytest.mark.parametrize("text", ["", " ", "猫👩‍💻", "a\x00b", "\u200b", "x" * 10_000])
def test_any_text_has_a_vector(embedder: OnnxEmbedder, text: str) -> None:
    """However little it says."""
    [vector] = embedder.embed([text])
    assert np.isfinite(vector).all()
    assert np.linalg.norm(vector) == pytest.approx(1, abs=1e-5)


def test_no_texts_load_no_model(tmp_path: Path) -> None:
    """Nothing to embed costs nothing, and a model that would not load is not noticed."""
    assert OnnxEmbedder(bare(tmp_path)).embed([]).shape == (0, 0)


@pytest.mark.parametrize("pooling", ["cls", "mean", "last"])
def test_each_pooling_makes_another_vector(folder: Path, embedder: OnnxEmbedder, pooling: str) -> None:
    """Of length one, each, and only the one that the model was made for is the one in the settings."""
    pooled = OnnxEmbedder(folder, pooling=pooling)
    [vector] = pooled.embed([CAT])
    assert np.linalg.norm(vector) == pytest.approx(1, abs=1e-5)
    assert np.array_equal(vector, embedder.embed([CAT])[0]) is (pooling == "cls")


def test_an_engine_recalls_by_it(folder: Path, tmp_path: Path, clock: FrozenClock) -> None:
    """Named in one text; what shares no word with the question is found by its meaning."""
    address = tmp_path / "memory.db"
    with ebbing.open(address, embedder=f"onnx:{folder}", clock=clock) as engine:
        for text in (CAT, TAXES, "The build takes nine minutes"):
            engine.remember(text)
        assert engine.recall("Which pet is asleep?", min_score=0)[0].memory.text == CAT
        assert engine.recall("Which pet is asleep?", min_score=0).notes == ()


def test_after_a_change_of_model_words_serve_until_memories_are_embedded_again(
    folder: Path, tmp_path: Path, clock: FrozenClock
) -> None:
    """Nothing is compared that does not belong together."""
    address = tmp_path / "memory.db"
    with ebbing.open(address, clock=clock) as engine:
        engine.remember(CAT)
    with ebbing.open(address, embedder=f"onnx:{folder}", clock=clock) as engine:
        [found] = engine.recall("cat", min_score=0)
        assert found.parts["semantic"] == 0
        assert engine.reembed() == 1
        assert engine.recall("Which pet is asleep?", min_score=0)[0].parts["semantic"] > 0.1


# ONNX: how a folder is read


def test_a_fingerprint_changes_with_what_changes_vectors(folder: Path) -> None:
    """Weights, pooling, length and the prefix of texts; where the folder lies, and how one asks, change none."""
    known = OnnxEmbedder(folder).fingerprint
    assert OnnxEmbedder(arctic(), pooling="cls").fingerprint == known
    assert OnnxEmbedder(folder, query_prefix="ask: ").fingerprint == known
    others = [
        OnnxEmbedder(folder, pooling="mean").fingerprint,
        OnnxEmbedder(folder, tokens_max=128).fingerprint,
        OnnxEmbedder(folder, text_prefix="passage: ").fingerprint,
        OnnxEmbedder(cross_encoder(), pooling="cls").fingerprint,
    ]
    assert len({known, *others}) == 5


def test_a_digest_tells_weights_apart_wherever_they_differ(tmp_path: Path) -> None:
    """In the first byte, the last or their number; a small file is read whole."""
    path = tmp_path / "weights"
    seen = set()
    for size in (10, SAMPLE_BYTES * 3, SAMPLE_BYTES * 1000):
        for place in (None, 0, size - 1):
            weights = bytearray(size)
            if place is not None:
                weights[place] = 1
            path.write_bytes(weights)
            seen.add(digest([path]))
    assert len(seen) == 9
    assert digest([path], "cls") != digest([path], "mean") != digest([])


def test_arguments_go_before_the_settings_and_those_before_what_the_model_brings(tmp_path: Path) -> None:
    """Each fills in what the one before it leaves open; the defaults fill in the rest."""
    files = {
        "modules.json": '[{"type": "sentence_transformers.models.Pooling", "path": "2_Pooling"}]',
        "2_Pooling/config.json": '{"pooling_mode_cls_token": true, "pooling_mode_mean_tokens": false}',
        "sentence_bert_config.json": '{"max_seq_length": 256}',
        "config_sentence_transformers.json": '{"prompts": {"query": "ask: ", "document": "say: "}}',
    }
    brought = OnnxEmbedder(bare(tmp_path, **files)).folder
    assert (brought.pooling, brought.tokens_max) == ("cls", 256)
    assert (brought.query_prefix, brought.text_prefix) == ("ask: ", "say: ")
    set_ = OnnxEmbedder(bare(tmp_path, **{"ebbing.toml": 'pooling = "mean"\ntokens_max = 64'})).folder
    assert (set_.pooling, set_.tokens_max, set_.query_prefix) == ("mean", 64, "ask: ")
    given = OnnxEmbedder(tmp_path, pooling="last", text_prefix="").folder
    assert (given.pooling, given.tokens_max, given.text_prefix) == ("last", 64, "")
    plain = OnnxEmbedder(bare(tmp_path / "plain")).folder
    assert (plain.pooling, plain.tokens_max, plain.query_prefix, plain.text_prefix) == (None, 512, "", "")


@pytest.mark.parametrize(
    ("written", "pooling"),
    [
        ('{"pooling_mode": "cls"}', "cls"),
        ('{"pooling_mode": ["mean"]}', "mean"),
        ('{"pooling_mode": "lasttoken"}', "last"),
        ('{"pooling_mode_lasttoken": true}', "last"),
        ('{"word_embedding_dimension": 384}', None),
    ],
)
def test_pooling_is_read_in_every_way_it_is_written(tmp_path: Path, written: str, pooling: str | None) -> None:
    """As one name, as a list of them, as a switch for each."""
    assert OnnxEmbedder(bare(tmp_path, **{"1_Pooling/config.json": written})).folder.pooling == pooling


def test_a_tokenizer_without_a_limit_leaves_the_default(tmp_path: Path) -> None:
    """The number it writes for that is none that anybody means."""
    folder = bare(tmp_path, **{"tokenizer_config.json": '{"model_max_length": 1000000000000000019884624838656}'})
    assert OnnxEmbedder(folder).folder.tokens_max == 512


@pytest.mark.parametrize(
    ("files", "model"),
    [
        ({}, "model.onnx"),
        ({"model.onnx": None, "onnx/model.onnx": "x", "onnx/model_int8.onnx": "y"}, "onnx/model.onnx"),
        ({"model.onnx": None, "onnx/model_int8.onnx": "y"}, "onnx/model_int8.onnx"),
        ({"onnx/model_int8.onnx": "y", "ebbing.toml": 'model = "onnx/model_int8.onnx"'}, "onnx/model_int8.onnx"),
    ],
)
def test_the_model_file_is_found_where_exporters_put_it(tmp_path: Path, files: dict[str, Any], model: str) -> None:
    """Or where the settings say it is."""
    bare(tmp_path, **{name: text for name, text in files.items() if text is not None})
    for name in [name for name, text in files.items() if text is None]:
        (tmp_path / name).unlink()
    assert OnnxEmbedder(tmp_path).folder.model == model


@pytest.mark.parametrize(
    ("files", "given", "sentence"),
    [
        ({"ebbing.toml": "pooling = "}, {}, "ebbing.toml cannot be read"),
        ({"ebbing.toml": 'pool = "cls"'}, {}, "ebbing.toml has 'pool', which is none of model, pooling, tokens_max"),
        ({"ebbing.toml": 'pooling = "max"'}, {}, "pooling 'max' is not one of cls, mean, last"),
        ({"ebbing.toml": 'model = "other.onnx"'}, {}, "there is no model file 'other.onnx' in it"),
        ({"1_Pooling/config.json": '{"pooling_mode_max_tokens": true}'}, {}, "pooling 'max' is not one of"),
        ({"1_Pooling/config.json": '{"pooling_mode": ["cls", "mean"]}'}, {}, "pooling 'cls and mean' is not one of"),
        ({"modules.json": '[{"type": "sentence_transformers.models.Dense"}]'}, {}, "modules.json asks for Dense"),
        ({"1_Pooling/config.json": '{"include_prompt": false}'}, {}, "its pooling leaves the prefix out"),
        ({"config.json": "{"}, {}, "config.json cannot be read"),
        ({"config.json": '{"max_position_embeddings": 128}'}, {}, "tokens_max 512 is more than the 128"),
        ({}, {"tokens_max": 0}, "tokens_max 0 is not a whole number"),
        ({}, {"tokens_max": "many"}, "tokens_max 'many' is not a whole number"),
        ({}, {"query_prefix": 5}, "query_prefix is not text"),
        ({}, {"threads": 0}, "threads 0 is not a whole number"),
    ],
)
def test_a_folder_that_cannot_be_meant_is_refused_when_it_is_given(
    tmp_path: Path, files: dict[str, str], given: dict[str, Any], sentence: str
) -> None:
    """Not at the first text, when a store is open already."""
    with pytest.raises(Invalid) as caught:
        OnnxEmbedder(bare(tmp_path, **files), **given)
    assert sentence in str(caught.value)


def test_all_faults_of_a_folder_are_told_together(tmp_path: Path) -> None:
    """And each once."""
    (tmp_path / "ebbing.toml").write_text('pooling = "max"\ntokens_max = true')
    with pytest.raises(Invalid) as caught:
        OnnxEmbedder(tmp_path)
    told = str(caught.value)
    for fault in ("model files (.onnx) there are none in it", "no tokenizer.json", "pooling 'max'", "tokens_max True"):
        assert told.count(fault) == 1


def test_a_folder_with_several_models_asks_which(tmp_path: Path) -> None:
    """It lists them."""
    bare(tmp_path, **{"a.onnx": "x", "onnx/b.onnx": "y"})
    (tmp_path / "model.onnx").unlink()
    with pytest.raises(Invalid, match=r"several \(a.onnx, onnx/b.onnx\): say which with model = … in ebbing.toml"):
        OnnxEmbedder(tmp_path)


@pytest.mark.parametrize("files", [{"onnx/model.onnx": "no model"}, {"tokenizer.json": "{}"}, {"tokenizer.json": "["}])
def test_a_model_that_does_not_load_is_unavailable_and_what_is_said_is_kept(
    tmp_path: Path, files: dict[str, str], clock: FrozenClock
) -> None:
    """Without a vector, and with a note; questions are answered by words."""
    broken = linked(arctic(), tmp_path / "broken", **files)
    with pytest.raises(Unavailable, match="fetch its files again"):
        OnnxEmbedder(broken).embed([CAT])
    with ebbing.open(":memory:", embedder=f"onnx:{broken}", clock=clock) as engine:
        remembered = engine.remember(CAT)
        assert any("stored without a vector" in note for note in remembered.notes)
        assert engine.recall("cat")[0].memory.text == CAT


def test_what_is_no_embedder_says_what_it_gives(tmp_path: Path) -> None:
    """A cross-encoder has one number for a text, which is a vector of one dimension and taken for what it is."""
    assert OnnxEmbedder(cross_encoder()).embed([CAT]).shape == (1, 1)


# Choosing one


@pytest.mark.parametrize(
    "choice", ["gpt", "onnx", "onnx:", "onnx: ", "fastembed:", "sentence-transformers", "openai:x"]
)
def test_an_unknown_kind_lists_the_kinds(choice: str) -> None:
    """Each as it is to be written."""
    with pytest.raises(Invalid) as caught:
        make_embedder(choice)
    told = str(caught.value)
    assert told.startswith(f"there is no embedder {choice!r}; use 'auto', 'none', 'onnx:folder', 'model@http://host")
    assert "'fastembed:model', 'sentence-transformers:model-or-folder', or an object with embed()" in told


def test_a_text_names_a_kind_and_what_it_needs(folder: Path) -> None:
    """A folder, or a model and its address, whatever signs its name holds."""
    onnx = make_embedder(f"onnx:{folder}")
    assert isinstance(onnx, OnnxEmbedder)
    assert onnx.folder.path == folder
    served = make_embedder("onnx:7b@http://127.0.0.1:1/v1")
    assert isinstance(served, Embeddings)
    assert served.endpoint.model == "onnx:7b"


def test_a_folder_that_is_not_there_is_refused(tmp_path: Path) -> None:
    """By name, and before a store is opened."""
    with pytest.raises(Invalid, match=r"there is no folder '.*nowhere'; give one with model.onnx and tokenizer.json"):
        ebbing.open(tmp_path / "memory.db", embedder=f"onnx:{tmp_path}/nowhere")
    assert list(tmp_path.iterdir()) == []


@pytest.mark.parametrize(
    ("choice", "package", "remedy"),
    [
        ("onnx:{folder}", "onnxruntime", "pip install onnxruntime"),
        ("onnx:{other}", "tokenizers", "pip install 'ebbing[onnx]'"),
        ("fastembed:some/model", "fastembed", "pip install 'ebbing[fastembed]'"),
        ("sentence-transformers:some/model", "sentence_transformers", "pip install sentence-transformers"),
        ("tide-1@http://127.0.0.1:1/v1", "httpx2", "pip install 'ebbing[llm]'"),
    ],
)
def test_without_its_package_the_error_says_what_to_install(
    choice: str, package: str, remedy: str, folder: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """When it is opened, not when it is first needed."""
    monkeypatch.setitem(sys.modules, package, None)
    other = bare(tmp_path, **{"tokenizer.json": '{"model": {"type": "BPE", "vocab": {}}}'})
    with pytest.raises(Unavailable) as caught:
        make_embedder(choice.format(folder=folder, other=other))
    assert remedy in str(caught.value)


def test_a_model_with_a_tokenizer_of_bert_needs_no_other_package(
    folder: Path, embedder: OnnxEmbedder, monkeypatch: pytest.MonkeyPatch
) -> None:
    """As nearly all small sentence models have it."""
    monkeypatch.setitem(sys.modules, "tokenizers", None)
    assert np.array_equal(OnnxEmbedder(folder).embed([CAT]), embedder.embed([CAT]))


def test_a_model_with_another_tokenizer_is_read_by_the_library(folder: Path, tmp_path: Path) -> None:
    """A mark of the model that is written in a text is text there too."""
    described = json.loads((folder / "tokenizer.json").read_text(encoding="utf-8"))
    described["normalizer"] = {"type": "Sequence", "normalizers": [described["normalizer"]]}
    other = OnnxEmbedder(linked(folder, tmp_path, **{"tokenizer.json": json.dumps(described)}))
    for text in (CAT, f"{CAT} [SEP] {TAXES}"):
        assert np.array_equal(other.embed([text]), OnnxEmbedder(folder).embed([text]))


# Packages that bring their own models


class Package:
    """A package that notes how it is called."""

    def __init__(self, name: str, monkeypatch: pytest.MonkeyPatch, **contents: Any) -> None:
        module = types.ModuleType(name)
        module.__spec__ = types.SimpleNamespace(name=name)  # type: ignore[assignment]
        for attribute, value in contents.items():
            setattr(module, attribute, value)
        monkeypatch.setitem(sys.modules, name, module)


class FakeTextEmbedding:
    """As `fastembed.TextEmbedding`."""

    made: list[tuple[str, dict[str, Any]]] = []  # noqa: RUF012 - one list for the test to look at

    def __init__(self, model_name: str, **given: Any) -> None:
        if "specific_model_path" not in given and given.get("cache_dir") != "full":
            raise ValueError(f"Could not load model {model_name} from any source.")
        self.made.append((model_name, given))

    @staticmethod
    def list_supported_models() -> list[dict[str, Any]]:
        return [{"model": "Tide/tide-small"}]

    def embed(self, documents: Sequence[str], batch_size: int = 256, **_: Any) -> Iterator[Any]:
        assert batch_size == 1
        return (np.array([len(text), 1.0]) for text in documents)

    def query_embed(self, query: Sequence[str], batch_size: int = 256, **_: Any) -> Iterator[Any]:
        return self.embed(query, batch_size)


@pytest.fixture
def fastembed(monkeypatch: pytest.MonkeyPatch) -> type[FakeTextEmbedding]:
    monkeypatch.setattr(FakeTextEmbedding, "made", [])
    Package("fastembed", monkeypatch, TextEmbedding=FakeTextEmbedding)
    return FakeTextEmbedding


def test_fastembed_is_given_a_name_a_folder_or_a_cache_and_fetches_nothing(
    fastembed: type[FakeTextEmbedding], tmp_path: Path
) -> None:
    """Prefixes are ours to add: it adds none."""
    (tmp_path / "model.onnx").write_text("weights")
    named = make_embedder(f"fastembed:tide/tide-small@{tmp_path}")
    assert isinstance(named, FastEmbed)
    assert named.embed(["four"]).tolist() == [[4.0, 1.0]]
    cached = FastEmbed("Tide/tide-small", cache="full", query_prefix="ask: ")
    assert cached.embed(["four"], query=True).tolist() == [[9.0, 1.0]]
    assert fastembed.made == [
        ("tide/tide-small", {"local_files_only": True, "specific_model_path": str(tmp_path)}),
        ("Tide/tide-small", {"local_files_only": True, "cache_dir": "full"}),
    ]
    assert cached.fingerprint == "fastembed-Tide/tide-small"
    assert named.fingerprint != FastEmbed("tide/tide-small").fingerprint
    assert FastEmbed("Tide/tide-small", text_prefix="say: ").fingerprint != cached.fingerprint


@pytest.mark.usefixtures("fastembed")
def test_fastembed_says_what_is_missing(tmp_path: Path) -> None:
    """The model's files, its name, or the folder."""
    with pytest.raises(Unavailable, match=r"the files of Tide/tide-small are not on this machine .*fetch them once"):
        FastEmbed("Tide/tide-small").embed([CAT])
    with pytest.raises(Invalid, match="fastembed knows no model 'tide-huge'"):
        FastEmbed("tide-huge").embed([CAT])
    with pytest.raises(Invalid, match="there is no folder"):
        FastEmbed("Tide/tide-small", tmp_path / "nowhere")


class FakeSentenceTransformer:
    """As `sentence_transformers.SentenceTransformer`."""

    def __init__(self, model: str, *, device: str | None, local_files_only: bool) -> None:
        assert local_files_only
        if "missing" in model:
            raise OSError("We couldn't connect to the hub\nto load the files")

    def encode_query(self, sentences: list[str], **given: Any) -> Any:
        assert given == {"convert_to_numpy": True, "normalize_embeddings": True, "show_progress_bar": False}
        return np.array([[1.0, 0.0] for _ in sentences])

    def encode_document(self, sentences: list[str], **given: Any) -> Any:
        return self.encode_query(sentences, **given)[:, ::-1]


def test_sentence_transformers_embed_questions_and_documents_each_in_their_way(
    monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    """By name the name is known by, by folder what is in it."""
    Package("sentence_transformers", monkeypatch, SentenceTransformer=FakeSentenceTransformer)
    by_name = make_embedder("sentence-transformers:tide/small")
    assert isinstance(by_name, SentenceTransformers)
    assert by_name.fingerprint == "sentence-transformers-tide/small"
    assert by_name.embed([CAT]).tolist() == [[0.0, 1.0]]
    assert by_name.embed([CAT], query=True).tolist() == [[1.0, 0.0]]
    prints = set()
    for weights in ("some", "other"):
        (tmp_path / "model.safetensors").write_text(weights)
        prints.add(SentenceTransformers(tmp_path).fingerprint)
    assert len(prints) == 2
    with pytest.raises(Unavailable, match=r"the model missing/one is not on this machine.*to load the files\); fetch"):
        SentenceTransformers("missing/one").embed([CAT])


# Rerankers


class Odd:
    """A reranker that gives whatever it is told to."""

    name = "odd-3"

    def __init__(self, give: Callable[[Sequence[str]], Any]) -> None:
        self.give = give

    def scores(self, query: str, texts: Sequence[str]) -> Any:
        return self.give(texts)


def reranking(give: Callable[[Sequence[str]], Any]) -> Models:
    return Models(None, len, reranker=Odd(give))


def test_a_real_reranker_puts_the_answer_first() -> None:
    """Before a text that shares its words; the same alone and in company."""
    texts = ["Berlin is well known for its museums.", "Berlin had 3,520,031 inhabitants in 2016.", TAXES]
    reranker = OnnxReranker(cross_encoder())
    scores = reranker.scores("how many people live in Berlin?", texts)
    assert scores[1] > scores[0] > scores[2]
    assert reranker.scores("how many people live in Berlin?", texts[1:2]) == [scores[1]]
    assert reranker.scores("anything", []) == []


def test_an_engine_is_given_a_reranker_by_name_or_as_an_object() -> None:
    """Or none."""
    own = Odd(lambda texts: [0.0])
    for given, name in [(None, None), ("none", None), (f"onnx:{cross_encoder()}", "onnx:reranker_en"), (own, "odd-3")]:
        with ebbing.open(":memory:", embedder=FakeEmbedder(), judge="off", reranker=given) as engine:
            assert getattr(engine.models.reranker, "name", None) == name


@pytest.mark.parametrize(
    ("choice", "sentence"),
    [
        ("gpt", "there is no reranker 'gpt'; use 'none', 'onnx:folder', or an object with scores() and a name"),
        ("onnx:", "there is no reranker 'onnx:'"),
        (5, "is not a reranker; give an object with scores"),
        (Odd, "is not a reranker"),
        (types.SimpleNamespace(scores=len, name=" "), "the reranker of type SimpleNamespace has no name"),
    ],
)
def test_what_is_no_reranker_is_refused_when_it_is_given(choice: Any, sentence: str) -> None:
    """Before a store is opened."""
    with pytest.raises(Invalid) as caught:
        make_reranker(choice)
    assert sentence in str(caught.value)


def test_scores_come_as_numbers_however_they_are_given() -> None:
    """One per text."""
    scores, notes = reranking(lambda texts: (len(text) for text in texts)).reranked("what?", ["a", "bcd"])
    assert scores is not None
    assert scores.tolist() == [1.0, 3.0]
    assert notes == []


@pytest.mark.parametrize("trouble", [Unavailable("busy"), TimeoutError("too slow")])
def test_a_reranker_that_does_not_answer_leaves_a_note(trouble: Exception) -> None:
    """The order then stays as it was."""

    def refuse(_: Sequence[str]) -> Any:
        raise trouble

    assert reranking(refuse).reranked("what?", ["a"]) == (
        None,
        [f"reranker odd-3 does not answer: {trouble}; the order is as without it"],
    )


@pytest.mark.parametrize(
    "give", [lambda _: [1.0], lambda _: [[1.0], [2.0]], lambda _: [1.0, float("nan")], lambda _: "ab"]
)
def test_a_reranker_that_misbehaves_is_named(give: Callable[[Sequence[str]], Any]) -> None:
    """Too few numbers, too many, or none at all."""
    with pytest.raises(Invalid, match="reranker odd-3 gave n"):
        reranking(give).reranked("what?", ["a", "b"])


def test_nothing_to_rerank_asks_no_reranker() -> None:
    """Nor does a question that says nothing; and without a reranker there is nothing to say about it."""
    idle = reranking(lambda _: pytest.fail("asked"))
    assert idle.reranked("what?", []) == (None, [])
    assert idle.reranked("  ", ["a"]) == (None, [])
    assert Models(None, len).reranked("what?", ["a"]) == (None, [])
