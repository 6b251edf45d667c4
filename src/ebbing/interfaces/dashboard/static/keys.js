// Keys for what the pages offer anyway: each presses a link or a button that is there. Without this file all works.
"use strict";
(() => {
  const pages = { h: "/", v: "/review", f: "/forgotten", r: "/recall", p: "/policy", b: "/browse", s: "/health" };
  const typing = (target) => target.closest("input:not([type=checkbox]), textarea, select, [contenteditable]");
  const rows = () => [...document.querySelectorAll("[data-row]")];
  const help = () => document.getElementById("help");
  let going = false;

  const current = () => document.activeElement.closest("[data-row]");

  function move(step) {
    const all = rows();
    if (!all.length) return;
    const place = all.indexOf(current());
    const next = all[Math.min(Math.max(place + step, 0), all.length - 1)];
    const target = next.querySelector("[data-open]") || next;
    target.focus();
    next.scrollIntoView({ block: "nearest" });
  }

  function press(key) {
    const within = current() || (rows().length === 1 ? rows()[0] : document);
    const found = within.querySelector(`[data-key="${CSS.escape(key)}"]`)
      || (rows().length ? document.querySelector(`.flash [data-key="${CSS.escape(key)}"]`) : null)
      || (within !== document && !rows().length ? document.querySelector(`[data-key="${CSS.escape(key)}"]`) : null);
    if (found) found.click();
    return Boolean(found);
  }

  document.addEventListener("keydown", (event) => {
    if (event.ctrlKey || event.metaKey || event.altKey || help()?.open) return;
    if (typing(event.target)) {
      if (event.key === "Escape") event.target.blur();
      return;
    }
    if (going) {
      going = false;
      if (pages[event.key]) location.assign(pages[event.key]);
      return;
    }
    const box = current()?.querySelector("input[type=checkbox]");
    if (event.key === "j") move(1);
    else if (event.key === "k") move(-1);
    else if (event.key === "g") going = true;
    else if (event.key === "x" && box) box.click();
    else if (event.key === "?") help()?.showModal();
    else if (event.key === "/") {
      const field = document.querySelector("[data-search]");
      if (!field) return;
      field.focus();
      field.select();
    } else if (event.key.length !== 1 || !press(event.key)) return;
    event.preventDefault();
  });

  for (const button of document.querySelectorAll("[data-help]")) {
    button.hidden = false;
    button.addEventListener("click", () => help()?.showModal());
  }
  document.addEventListener("click", (event) => {
    if (!event.target.closest("[data-select-all]")) return;
    const boxes = [...document.querySelectorAll("[form=selection][type=checkbox]")];
    const all = boxes.every((box) => box.checked);
    for (const box of boxes) box.checked = !all;
  });
  document.addEventListener("input", (event) => {
    const shown = document.getElementById(event.target.dataset?.shows || "");
    if (shown) shown.textContent = Number(event.target.value).toLocaleString(document.documentElement.lang, { minimumFractionDigits: 2, maximumFractionDigits: 2 });
  });
  const reveal = () => { for (const one of document.querySelectorAll("[data-select-all]")) one.hidden = false; };
  reveal();
  document.addEventListener("htmx:after:swap", reveal);
})();
