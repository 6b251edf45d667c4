"""docs/pictures/dashboard/*.png: each page, light and dark, wide and narrow. `make dashboard-pictures` takes them.

A picture is written with a palette, which such pages hardly notice: a third of the size, and so no burden for whoever
clones the repository.
"""

from __future__ import annotations

import os
import struct
import sys
import tempfile
import zlib
from pathlib import Path

import numpy as np
from numpy.typing import NDArray

from ebbing.interfaces.http_api import Settings
from tests.interfaces.dashboard import chromium
from tests.interfaces.dashboard.story import story
from tests.interfaces.web import web

SHOTS = {
    "horizon": "/",
    "memory": "/memory/{fading}",
    "recall": "/recall?q=how+do+we+deploy+to+production&limit=4",
    "review": "/review",
    "forgotten": "/forgotten",
    "policy": "/policy?try=1&detach=0.3&summarize=0.4&slowdown=1",
    "browse": "/browse?status=active",
    "health": "/health",
}
_SIZES = {"wide": (1100, 760), "narrow": (360, 720)}
_COLOURS = 64


def take(folder: Path, browser_folder: Path) -> None:
    """All of them, from a store that is lived through for it."""
    from playwright.sync_api import sync_playwright

    browser = chromium.found(browser_folder)
    folder.mkdir(parents=True, exist_ok=True)
    with (
        tempfile.TemporaryDirectory() as place,
        story(Path(place)) as told,
        web(told.engine, Settings(write_as_user=True)) as served,
        sync_playwright() as playwright,
    ):
        running = playwright.chromium.launch(
            executable_path=str(browser.path), args=list(browser.arguments), env=browser.environment
        )
        for size, (width, height) in _SIZES.items():
            for theme in ("light", "dark"):
                context = running.new_context(viewport={"width": width, "height": height}, color_scheme=theme)
                page = context.new_page()
                for name, address in SHOTS.items():
                    page.goto(served.address + address.format(fading=told.fading))
                    (folder / f"{name}-{size}-{theme}.png").write_bytes(smaller(page.screenshot()))
                context.close()
        running.close()


def smaller(png: bytes) -> bytes:
    """The same picture with few colours: the most frequent, and for each other one the nearest of them."""
    pixels = _decoded(png)
    height, width, _ = pixels.shape
    flat = pixels.reshape(-1, 3).astype(np.int32)
    keys = flat[:, 0] << 16 | flat[:, 1] << 8 | flat[:, 2]
    colours, where, counts = np.unique(keys, return_inverse=True, return_counts=True)
    every = np.stack([colours >> 16, colours >> 8 & 255, colours & 255], axis=1)
    palette = every[np.argsort(-counts)[:_COLOURS]]
    distances = ((every[:, None, :] - palette[None, :, :]) ** 2).sum(axis=2)
    indices = distances.argmin(axis=1).astype(np.uint8)[where].reshape(height, width)
    rows = np.concatenate([np.zeros((height, 1), np.uint8), indices], axis=1).tobytes()
    parts = [
        (b"IHDR", struct.pack(">IIBBBBB", width, height, 8, 3, 0, 0, 0)),
        (b"PLTE", palette.astype(np.uint8).tobytes()),
        (b"IDAT", zlib.compress(rows, 9)),
        (b"IEND", b""),
    ]
    return b"\x89PNG\r\n\x1a\n" + b"".join(
        struct.pack(">I", len(data)) + kind + data + struct.pack(">I", zlib.crc32(kind + data)) for kind, data in parts
    )


def _decoded(png: bytes) -> NDArray[np.uint8]:
    """The pixels of a picture as a browser takes it: eight bits for each of three or four channels, not interlaced."""
    at, data, width, height, channels = 8, b"", 0, 0, 3
    while at < len(png):
        (length,), kind = struct.unpack(">I", png[at : at + 4]), png[at + 4 : at + 8]
        if kind == b"IHDR":
            width, height, _, colour = struct.unpack(">IIBB", png[at + 8 : at + 18])
            channels = 4 if colour == 6 else 3
        data += png[at + 8 : at + 8 + length] if kind == b"IDAT" else b""
        at += 12 + length
    raw = np.frombuffer(zlib.decompress(data), np.uint8).reshape(height, 1 + width * channels)
    found = np.zeros((height, width * channels), np.uint8)
    before = np.zeros(width * channels, np.uint8)
    for number in range(height):
        before = found[number] = _unfiltered(int(raw[number, 0]), raw[number, 1:], before, channels)
    return found.reshape(height, width, channels)[:, :, :3]


def _unfiltered(kind: int, row: NDArray[np.uint8], above: NDArray[np.uint8], step: int) -> NDArray[np.uint8]:
    """One row of pixels, from what was written of it (RFC 2083, section 6)."""
    if kind == 0:
        return row.copy()
    if kind == 2:
        return row + above
    if kind == 1:
        return np.cumsum(row.reshape(-1, step), axis=0, dtype=np.uint8).reshape(-1)
    made = [0] * len(row)
    for place, value in enumerate(row.tolist()):
        left = made[place - step] if place >= step else 0
        up = int(above[place])
        corner = int(above[place - step]) if place >= step else 0
        if kind == 3:
            guess = (left + up) // 2
        else:
            near = left + up - corner
            guess = min((left, up, corner), key=lambda one: abs(near - one))
        made[place] = (value + guess) & 255
    return np.array(made, np.uint8)


if __name__ == "__main__":
    take(Path(sys.argv[1]), Path(os.environ["EBBING_BROWSER"]))
