import { draftKey, hasDraft, markRows, forgetQuote } from "./draft-marks.client.js";

const conversationId = document.querySelector("[data-conversation]")?.getAttribute("data-conversation") ?? "";

/** @typedef {import("./draft-marks.client.js").Kind} Kind */

/** @type {(kind: Kind) => string} */
const keyOf = (kind) => draftKey(kind, conversationId);

/** @type {() => HTMLTextAreaElement | null} */
const findField = () => document.querySelector(".composer :is(.reply-form, .note-form) textarea");

/** @type {(field: HTMLTextAreaElement) => Kind} */
const kindOf = (field) => (field.closest(".note-form") === null ? "reply" : "note");

function markDrafts() {
  for (const tab of document.querySelectorAll(".composer-tabs a"))
    if (tab instanceof HTMLElement) {
      const kind = tab.dataset["kind"] === "note" ? "note" : "reply";
      tab.toggleAttribute("data-draft", !tab.hasAttribute("aria-current") && hasDraft(kind, conversationId));
    }
}

/** @type {(field: HTMLTextAreaElement) => void} */
function keep(field) {
  if (field.value === "") localStorage.removeItem(keyOf(kindOf(field)));
  else localStorage.setItem(keyOf(kindOf(field)), field.value);
  markRows();
}

function restore() {
  const field = findField();
  if (field !== null && field.value === "") {
    const draft = localStorage.getItem(keyOf(kindOf(field))) ?? "";
    const own = kindOf(field) === "note" ? ".message.note .said" : ".message.out .body";
    const lastSent = [...document.querySelectorAll(own)].at(-1)?.lastChild?.textContent;
    field.value = draft === lastSent ? "" : draft;
    keep(field);
  }
  markDrafts();
}

/** @type {{ text: string, value: string } | null} */
let sending = null;
let isSwitching = false;

/** @type {(sent: { text: string, value: string }) => string} */
const writtenSince = ({ text, value }) => (value.startsWith(text) ? value.slice(text.length) : value);

/** @type {(field: HTMLTextAreaElement | null, sent: { text: string, value: string }) => void} */
function showSent(field, sent) {
  if (field === null) return;
  forgetQuote();
  if (field.value === "") {
    field.value = writtenSince(sent);
    keep(field);
    document.querySelector(".messages")?.scrollTo({ top: 0 }); // `column-reverse` puts the newest message at 0
  }
  field.focus();
}

document.addEventListener("input", ({ target }) => {
  const field = findField();
  if (field === null || target !== field) return;
  keep(field);
  if (sending !== null) sending.value = field.value;
});

document.addEventListener("submit", ({ target }) => {
  const field = findField();
  if (field !== null && field.form === target) sending = { text: field.value, value: field.value };
});

document.addEventListener("click", ({ target }) => {
  if (target instanceof Element && target.closest(".composer-tabs a") !== null) isSwitching = true;
});

document.addEventListener("keydown", (event) => {
  const field = findField();
  if (field === null || event.target !== field) return;
  if (event.key === "Enter" && (event.ctrlKey || event.metaKey)) {
    event.preventDefault();
    field.form?.requestSubmit();
  } else if (event.key === "Escape") {
    const messages = document.querySelector(".messages");
    if (messages instanceof HTMLElement) messages.focus();
  }
});

document.addEventListener("swapped", ({ target }) => {
  if (!(target instanceof Element) || target.id !== "reply") return;
  const sent = sending;
  sending = null;
  if (sent !== null && !isSwitching) showSent(findField(), sent);
  restore();
  if (isSwitching) findField()?.focus();
  isSwitching = false;
});

addEventListener("storage", ({ key, newValue }) => {
  const field = findField();
  if (field !== null && key === keyOf(kindOf(field)) && field !== document.activeElement) field.value = newValue ?? "";
  markDrafts();
});

restore();
