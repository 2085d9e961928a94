import { isReserved } from "../keyboard/keys.client.js";
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

/** The form that is loading. Meanwhile, the old form accepts no input, because it would send a note as a reply.
 * @type {Kind | null} */
let loading = null;
let typedMeanwhile = "";
let giveUp = 0;

const LONGEST_LOAD_MS = 10_000;

/** @type {(kind: Kind | null) => void} */
function setLoading(kind) {
  loading = kind;
  typedMeanwhile = "";
  clearTimeout(giveUp);
  if (kind !== null) giveUp = setTimeout(setLoading, LONGEST_LOAD_MS, null);
  document.getElementById("reply")?.toggleAttribute("inert", kind !== null);
}

/** True if a key is meant for the form that is still loading.
 * @type {(event: KeyboardEvent) => boolean} */
const isForLoading = ({ target, ctrlKey, metaKey, altKey }) =>
  loading !== null && !ctrlKey && !metaKey && !altKey && !isReserved(target);

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

/** @type {(field: HTMLTextAreaElement | null) => void} */
function showTyped(field) {
  const typed = typedMeanwhile;
  setLoading(null);
  if (field === null) return;
  field.focus();
  if (typed === "") return;
  field.value += typed;
  keep(field);
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

document.addEventListener("click", ({ target, ctrlKey, metaKey, shiftKey }) => {
  const tab = target instanceof Element ? target.closest(".composer-tabs a:not([aria-current])") : null;
  if (tab === null || ctrlKey || metaKey || shiftKey) return;
  setLoading(tab.getAttribute("data-kind") === "note" ? "note" : "reply");
});

document.addEventListener(
  "keydown",
  (event) => {
    if (!isForLoading(event)) return;
    if (event.key.length === 1) typedMeanwhile += event.key;
    else if (event.key === "Backspace") typedMeanwhile = typedMeanwhile.slice(0, -1);
    else return;
    event.preventDefault();
    event.stopPropagation();
  },
  true,
);

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
  if (sent !== null && loading === null) showSent(findField(), sent);
  restore();
  const field = findField();
  if (loading !== null && (field === null || kindOf(field) === loading)) showTyped(field);
});

addEventListener("storage", ({ key, newValue }) => {
  const field = findField();
  if (field !== null && key === keyOf(kindOf(field)) && field !== document.activeElement) field.value = newValue ?? "";
  markDrafts();
});

restore();
