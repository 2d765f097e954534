// Copy buttons, keys, times of the viewer's own zone, and words for a screen reader. The page is whole without this
// file; nothing here is timed.
"use strict";

document.documentElement.classList.add("js");

function say(text) {
  document.getElementById("said").textContent = text;
}

function select(element) {
  const range = document.createRange();
  range.selectNodeContents(element);
  const selection = window.getSelection();
  selection.removeAllRanges();
  selection.addRange(range);
}

function reveal(element) {
  for (let at = element; at; at = at.parentElement) {
    if (at instanceof HTMLDetailsElement) at.open = true;
  }
}

function label(button, text) {
  for (const other of document.querySelectorAll(".copy.said")) {
    other.textContent = other.dataset.label;
    other.classList.remove("said");
  }
  button.dataset.label = button.textContent;
  button.textContent = text;
  button.classList.add("said");
}

// The clipboard exists in secure contexts only; elsewhere the text is left selected, ready to be copied by hand.
async function copy(button) {
  const source = document.getElementById(button.dataset.copy);
  try {
    await navigator.clipboard.writeText(source.textContent);
    label(button, "Copied");
    say("Copied");
  } catch {
    reveal(source);
    select(source);
    label(button, "Selected");
    say("The text is selected; copy it with the keyboard");
  }
}

document.addEventListener("click", (event) => {
  const button = event.target.closest("[data-copy]");
  if (button) copy(button);
});

// A filter brings a whole new photograph; what it shows is read out.
document.addEventListener("htmx:afterSettle", () => {
  const words = document.getElementById("in-force");
  if (words) say(words.textContent);
});

// ---------------------------------------------------------------- keys
// None is taken from a form field, from a combination with a modifier, or where the address says keys=off.
const findings = () => [...document.querySelectorAll(".need[id]")];
const inFocus = () => document.activeElement?.closest?.(".need[id]");

function step(by) {
  const all = findings();
  const at = all.indexOf(inFocus());
  const next = all[at < 0 ? (by > 0 ? 0 : all.length - 1) : Math.min(Math.max(at + by, 0), all.length - 1)];
  if (!next) return;
  reveal(next);
  next.focus({ preventScroll: true });
  next.scrollIntoView({ block: "nearest" });
}

const keys = {
  "/": () => document.querySelector("main [type=search]"),
  j: () => step(1),
  k: () => step(-1),
  c: () => inFocus()?.querySelector("[data-copy]")?.click(),
  "?": () => document.getElementById("keys").showModal(),
};

document.addEventListener("keydown", (event) => {
  if (event.key === "Escape") hideOwnTime();
  const taken = event.target.closest?.("input, select, textarea, dialog, [contenteditable]");
  const off = new URLSearchParams(location.search).get("keys") === "off";
  if (off || taken || event.ctrlKey || event.altKey || event.metaKey || event.isComposing) return;
  if (!Object.hasOwn(keys, event.key)) return;
  event.preventDefault();
  const field = keys[event.key]();
  if (field) {
    field.focus();
    field.select();
  }
});

// ---------------------------------------------------------------- times
// A time is shown as recorded, in UTC; pointed at or in focus, it also says what the viewer's own clock showed. In a
// table only one time is a stop of the Tab key; the arrows lead from it to the others.
const zone = Intl.DateTimeFormat().resolvedOptions().timeZone;
const own = new Intl.DateTimeFormat("sv", { dateStyle: "short", timeStyle: "short" });

function showOwnTime(time) {
  const moment = new Date(time.dateTime);
  const box = document.getElementById("own-time");
  if (Number.isNaN(moment.getTime()) || !box.showPopover) return;
  box.textContent = `${own.format(moment)} in ${zone}`;
  box.showPopover();
  const at = time.getBoundingClientRect();
  const above = at.top - box.offsetHeight - 4;
  box.style.top = `${above < 0 ? at.bottom + 4 : above}px`;
  box.style.left = `${Math.max(4, Math.min(at.left, innerWidth - box.offsetWidth - 4))}px`;
  time.setAttribute("aria-describedby", "own-time");
}

function hideOwnTime() {
  const box = document.getElementById("own-time");
  if (box.hidePopover && box.matches(":popover-open")) box.hidePopover();
}

function reachable() {
  for (const group of document.querySelectorAll("header, main dl, main tbody")) {
    group.querySelectorAll("time").forEach((time, place) => { time.tabIndex = place ? -1 : 0; });
  }
}

for (const [shown, hidden] of [["pointerover", "pointerout"], ["focusin", "focusout"]]) {
  document.addEventListener(shown, (event) => {
    const time = event.target.closest?.("time");
    if (time) showOwnTime(time);
  });
  document.addEventListener(hidden, (event) => {
    if (event.target.closest?.("time")) hideOwnTime();
  });
}

document.addEventListener("keydown", (event) => {
  const by = { ArrowDown: 1, ArrowRight: 1, ArrowUp: -1, ArrowLeft: -1 }[event.key];
  if (!by || event.target.nodeName !== "TIME") return;
  const times = [...event.target.closest("header, dl, tbody").querySelectorAll("time")];
  const next = times[times.indexOf(event.target) + by];
  if (!next) return;
  event.preventDefault();
  event.target.tabIndex = -1;
  next.tabIndex = 0;
  next.focus();
});

document.addEventListener("DOMContentLoaded", reachable);
document.addEventListener("htmx:afterSettle", reachable);
