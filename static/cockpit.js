// Copy buttons, and words for a screen reader. The page is whole without this file; nothing here is timed.
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
