"""What a folder with an ONNX model says of itself: which file it is, and how its texts are to be read.

Arguments go before `ebbing.toml` in the folder, that before what sentence-transformers keeps beside its models
(`modules.json`, `1_Pooling/config.json`, `config_sentence_transformers.json`, `sentence_bert_config.json`), and
that before the defaults. All faults are told together. Nothing is loaded here.
"""

from __future__ import annotations

import json
import tomllib
from collections.abc import Mapping
from dataclasses import dataclass, fields
from pathlib import Path
from typing import Any

from ..domain import validation
from ..domain.errors import Invalid

SETTINGS = "ebbing.toml"
POOLINGS = ("cls", "mean", "last")
TOKENS_MAX = 512  # what nearly every sentence model reads
_TOKENS_MOST = 131_072
_ENDLESS = 1_000_000  # tokenizers write 10 to the 30th for "no limit"
_MODELS = ("model.onnx", "onnx/model.onnx")
_POOLINGS_THERE = {"lasttoken": "last"} | {name: name for name in POOLINGS}
_OLD_POOLINGS = {
    "pooling_mode_cls_token": "cls",
    "pooling_mode_mean_tokens": "mean",
    "pooling_mode_lasttoken": "lasttoken",
    "pooling_mode_max_tokens": "max",
    "pooling_mode_mean_sqrt_len_tokens": "mean_sqrt_len_tokens",
    "pooling_mode_weightedmean_tokens": "weightedmean",
}


@dataclass(frozen=True, slots=True)
class Folder:
    """A model that can be loaded."""

    path: Path
    model: str  # the file, below the folder
    pooling: str | None  # of the vectors of tokens, one; None: as the model does it, otherwise their mean
    tokens_max: int  # a longer text is cut
    query_prefix: str  # before a question …
    text_prefix: str  # … and before what is remembered

    @property
    def weights(self) -> tuple[Path, ...]:
        """The model with what lies outside its file, and the tokenizer."""
        model = self.path / self.model
        outside = sorted(path for path in model.parent.glob(f"{model.name}*") if path != model and path.is_file())
        return (model, *outside, self.tokenizer)

    @property
    def tokenizer(self) -> Path:
        return self.path / "tokenizer.json"


def read_folder(given: Any, settings: Mapping[str, Any]) -> Folder:
    """What the folder says, and what was said beside it; Invalid with every fault when it cannot be meant."""
    path = validation.path(given).expanduser()
    if not path.is_dir():
        raise Invalid(f"there is no folder {str(path)!r}; give one with model.onnx and tokenizer.json")
    faults: list[str] = []
    values = _from_sentence_transformers(path, faults) | _from_toml(path, faults)
    values |= {name: value for name, value in settings.items() if value is not None}
    model = _model(path, values.pop("model", None), faults)
    if not (path / "tokenizer.json").is_file():
        faults.append("there is no tokenizer.json in it")
    values = {"pooling": None, "tokens_max": TOKENS_MAX, "query_prefix": "", "text_prefix": ""} | values
    faults += _faults(values, _json(path / "config.json", faults).get("max_position_embeddings"))
    if faults:
        raise Invalid(f"the model in {str(path)!r} cannot be used: " + "; ".join(dict.fromkeys(faults)))
    return Folder(path, model, **values)


def _from_toml(folder: Path, faults: list[str]) -> dict[str, Any]:
    path = folder / SETTINGS
    if not path.exists():
        return {}
    try:
        given = tomllib.loads(path.read_text(encoding="utf-8"))
    except (OSError, ValueError) as error:
        faults.append(f"{SETTINGS} cannot be read: {error}")
        return {}
    known = [field.name for field in fields(Folder) if field.name != "path"]
    faults += [f"{SETTINGS} has {name!r}, which is none of {', '.join(known)}" for name in given if name not in known]
    return {name: value for name, value in given.items() if name in known}


def _from_sentence_transformers(folder: Path, faults: list[str]) -> dict[str, Any]:
    given: dict[str, Any] = {}
    modules = _json(folder / "modules.json", faults, list)
    kinds = {str(one.get("type", "")).rpartition(".")[2]: one for one in modules if isinstance(one, dict)}
    if unknown := sorted(kinds.keys() - {"Transformer", "Pooling", "Normalize"}):
        faults.append(f"modules.json asks for {', '.join(unknown)}, which is not done here")
    where = kinds.get("Pooling", {}).get("path", "1_Pooling")
    config = _json(folder / str(where) / "config.json", faults)
    if config.get("include_prompt") is False:
        faults.append("its pooling leaves the prefix out, which is not done here")
    if pooling := _pooling(config):
        given["pooling"] = _POOLINGS_THERE.get(pooling, pooling)
    for name, key in (("sentence_bert_config.json", "max_seq_length"), ("tokenizer_config.json", "model_max_length")):
        tokens = _json(folder / name, faults).get(key)
        if isinstance(tokens, int) and 0 < tokens < _ENDLESS:
            given.setdefault("tokens_max", tokens)
    prompts = _json(folder / "config_sentence_transformers.json", faults)
    by_name = prompts.get("prompts") if isinstance(prompts.get("prompts"), dict) else {}
    default = by_name.get(prompts.get("default_prompt_name"))
    for setting, names in (("query_prefix", ("query",)), ("text_prefix", ("document", "passage", "corpus"))):
        found = [by_name[name] for name in names if name in by_name] + [default]
        if found[0] is not None:
            given[setting] = found[0]
    return given


def _pooling(config: Mapping[str, Any]) -> str | None:
    """One name, be it written as it is today or as one switch for each way there is."""
    named = config.get("pooling_mode")
    names = [named] if isinstance(named, str) else named if isinstance(named, list) else []
    names = names or [name for switch, name in _OLD_POOLINGS.items() if config.get(switch) is True]
    return " and ".join(str(name) for name in names) or None


def _model(folder: Path, named: Any, faults: list[str]) -> str:
    if named is not None:
        if not isinstance(named, str) or not (folder / named).is_file():
            faults.append(f"there is no model file {named!r} in it")
        return str(named)
    for name in _MODELS:
        if (folder / name).is_file():
            return name
    there = sorted(
        path.relative_to(folder).as_posix() for path in [*folder.glob("*.onnx"), *folder.glob("onnx/*.onnx")]
    )
    if len(there) == 1:
        return there[0]
    lies = f"several ({', '.join(there)}): say which with model = … in {SETTINGS}" if there else "none in it"
    faults.append(f"of model files (.onnx) there are {lies}")
    return ""


def _json(path: Path, faults: list[str], kind: type = dict) -> Any:
    """What a file says that may be missing: nothing then, as where it says something of another kind."""
    if not path.exists():
        return kind()
    try:
        content = json.loads(path.read_text(encoding="utf-8"))
    except (OSError, ValueError, RecursionError) as error:
        faults.append(f"{path.name} cannot be read: {error}")
        return kind()
    return content if isinstance(content, kind) else kind()


def _faults(given: Mapping[str, Any], positions: Any) -> list[str]:
    faults = [f"{name} is not text" for name in ("query_prefix", "text_prefix") if not isinstance(given[name], str)]
    if given["pooling"] is not None and given["pooling"] not in POOLINGS:
        faults.append(f"pooling {given['pooling']!r} is not one of {', '.join(POOLINGS)}")
    tokens = given["tokens_max"]
    if isinstance(tokens, bool) or not isinstance(tokens, int) or not 1 < tokens <= _TOKENS_MOST:
        faults.append(f"tokens_max {tokens!r} is not a whole number between 2 and {_TOKENS_MOST:,}")
    elif isinstance(positions, int) and tokens > positions:
        faults.append(f"tokens_max {tokens} is more than the {positions} that the model reads (config.json)")
    return faults
