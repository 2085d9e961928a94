// Suggestions in text fields within [data-suggest]: canned replies after a slash, members after an @.
import { getJson } from "../pages/requests.client.js";

/** @typedef {{ name: string, text: string }} Suggestion */

const MAX_SHOWN = 8;

/** Suggestions by source URL, fetched once per page.
 * @type {Map<string, Promise<Suggestion[]>>} */
const known = new Map();

/** @type {(source: string) => Promise<Suggestion[]>} */
function load(source) {
  const loading = known.get(source) ?? getJson(source).then(({ suggestions }) => suggestions);
  known.set(source, loading);
  loading.catch(() => known.delete(source)); // retried on the next key
  return loading;
}

/** The open list, its field, and the range of the word that it replaces.
 * @type {{ list: HTMLElement, field: HTMLTextAreaElement, start: number } | null} */
let open = null;

function close() {
  open?.list.remove();
  open?.field.removeAttribute("aria-controls");
  open?.field.removeAttribute("aria-activedescendant");
  open = null;
}

/** The word at the cursor that starts with the sign, or null.
 * @type {(field: HTMLTextAreaElement, sign: string) => { start: number, word: string } | null} */
function wordAt(field, sign) {
  const before = field.value.slice(0, field.selectionStart);
  const start = before.lastIndexOf(sign);
  if (start === -1 || (start > 0 && !/\s/.test(before.charAt(start - 1)))) return null;
  const word = before.slice(start + 1);
  return word.includes("\n") || (sign === "/" && word.includes(" ")) ? null : { start, word };
}

/** @type {(option: Element | null | undefined) => void} */
function choose(option) {
  if (open === null || !(option instanceof HTMLElement)) return;
  const { field, start } = open;
  const text = option.dataset["text"] ?? "";
  // Mentions are inside sentences, so a space follows.
  const isMention = text.startsWith("@");
  const end = field.selectionStart + (isMention && field.value.charAt(field.selectionStart) === " " ? 1 : 0);
  field.setRangeText(isMention ? `${text} ` : text, start, end, "end");
  close();
  field.focus();
  field.dispatchEvent(new Event("input", { bubbles: true }));
}

/** @type {(option: Element | null | undefined) => void} */
function highlight(option) {
  if (open === null || !option) return;
  for (const each of open.list.children) each.setAttribute("aria-selected", String(each === option));
  open.field.setAttribute("aria-activedescendant", option.id);
  option.scrollIntoView({ block: "nearest" });
}

const highlighted = () => open?.list.querySelector('[aria-selected="true"]');

/** @type {(field: HTMLTextAreaElement, start: number, found: Suggestion[]) => void} */
function show(field, start, found) {
  close();
  if (found.length === 0) return;
  const list = document.createElement("div");
  list.className = "suggestions";
  list.id = "suggestions";
  list.setAttribute("role", "listbox");
  list.setAttribute("aria-label", "Suggestions");
  for (const [index, { name, text }] of found.entries()) {
    const option = document.createElement("div");
    option.id = `suggestion-${index}`;
    option.setAttribute("role", "option");
    option.dataset["text"] = text;
    const title = document.createElement("strong");
    title.textContent = name;
    const preview = document.createElement("span");
    preview.textContent = text;
    option.append(title, preview);
    // Before the field loses the focus.
    option.addEventListener("mousedown", (event) => {
      event.preventDefault();
      choose(option);
    });
    list.append(option);
  }
  field.closest(".composer")?.append(list); // outside of the scrolling part, which would clip it
  field.setAttribute("aria-controls", list.id);
  open = { list, field, start };
  highlight(list.firstElementChild);
}

/** Suggests matches for the word at the cursor.
 * @type {(field: HTMLTextAreaElement, place: HTMLElement) => Promise<void>} */
async function offer(field, place) {
  const typed = wordAt(field, place.dataset["suggest"] ?? "");
  if (typed === null) return close();
  const all = await load(place.dataset["source"] ?? "").catch(() => []);
  if (wordAt(field, place.dataset["suggest"] ?? "")?.word !== typed.word) return; // the user typed on
  const sought = typed.word.toLowerCase();
  show(field, typed.start, all.filter(({ name }) => name.toLowerCase().includes(sought)).slice(0, MAX_SHOWN));
}

document.addEventListener("input", (event) => {
  const field = event.target;
  const place = field instanceof HTMLTextAreaElement ? field.closest("[data-suggest]") : null;
  if (field instanceof HTMLTextAreaElement && place instanceof HTMLElement) void offer(field, place);
});

document.addEventListener(
  "keydown",
  (event) => {
    if (open === null || event.target !== open.field || event.ctrlKey || event.metaKey) return;
    const current = highlighted();
    if (event.key === "ArrowDown") highlight(current?.nextElementSibling ?? open.list.firstElementChild);
    else if (event.key === "ArrowUp") highlight(current?.previousElementSibling ?? open.list.lastElementChild);
    else if (event.key === "Enter" || event.key === "Tab") choose(current);
    else if (event.key === "Escape") close();
    else return;
    event.preventDefault();
    event.stopPropagation();
  },
  true,
);

document.addEventListener("focusout", (event) => {
  if (event.target === open?.field) close();
});
