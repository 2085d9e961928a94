import { forEachPart, make } from "../elements.client.js";
import { getJson } from "../requests.client.js";

const NEAR = 0.9;

/** @type {(field: HTMLTextAreaElement) => HTMLElement} */
function ensureNotice(field) {
  const existing = field.parentElement?.querySelector(".room-left");
  if (existing instanceof HTMLElement) return existing;
  const notice = make("p", { class: "room-left help", "aria-live": "polite" });
  field.after(notice);
  return notice;
}

/** @type {(count: number) => string} */
const formatCharacters = (count) => (count === 1 ? "1 character" : `${count.toLocaleString("en")} characters`);

/** @type {(field: HTMLTextAreaElement) => void} */
function showRoom(field) {
  const limit = Number(field.dataset["limit"]);
  const left = limit - [...field.value].length;
  const notice = ensureNotice(field);
  const fits = left > limit * (1 - NEAR) ? "" : `${formatCharacters(left)} left`;
  notice.textContent = left < 0 ? `${formatCharacters(-left)} over the limit.` : fits;
  notice.classList.toggle("fault", left < 0);
}

forEachPart((part) => {
  for (const field of part.querySelectorAll("textarea[data-limit]"))
    if (field instanceof HTMLTextAreaElement) showRoom(field);
});

/** @typedef {{ name: string, text: string }} Suggestion */

const MAX_SUGGESTIONS = 8;

/** @type {Map<string, Promise<Suggestion[]>>} */
const loaded = new Map();

/** @type {(source: string) => Promise<Suggestion[]>} */
function load(source) {
  const loading = loaded.get(source) ?? getJson(source).then(({ suggestions }) => suggestions);
  loaded.set(source, loading);
  loading.catch(() => loaded.delete(source)); // if loading fails, the next key press tries again
  return loading;
}

/** `start` is the position of the word that the suggestion replaces.
 * @type {{ list: HTMLElement, field: HTMLTextAreaElement, start: number } | null} */
let open = null;

function close() {
  open?.list.remove();
  open?.field.removeAttribute("aria-controls");
  open?.field.removeAttribute("aria-activedescendant");
  open = null;
}

/** @type {(field: HTMLTextAreaElement, sign: string) => { start: number, word: string } | null} */
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
  // Adds a space after a mention, because the sentence usually continues after it.
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
  const options = found.map(({ name, text }, index) => {
    const attributes = { id: `suggestion-${index}`, role: "option", "data-text": text };
    const option = make("div", attributes, make("strong", {}, name), make("span", {}, text));
    // Uses `mousedown`, because the text field has already lost the focus on `click`.
    option.addEventListener("mousedown", (event) => {
      event.preventDefault();
      choose(option);
    });
    return option;
  });
  const attributes = { id: "suggestions", class: "suggestions", role: "listbox", "aria-label": "Suggestions" };
  const list = make("div", attributes, ...options);
  field.closest(".composer")?.append(list); // inside the scrolling part, the list would be cut off
  field.setAttribute("aria-controls", list.id);
  open = { list, field, start };
  highlight(list.firstElementChild);
}

/** @type {(field: HTMLTextAreaElement, container: HTMLElement) => Promise<void>} */
async function offer(field, container) {
  const { suggest = "", source = "" } = container.dataset;
  const typed = wordAt(field, suggest);
  if (typed === null) return close();
  const all = await load(source).catch(() => []);
  if (wordAt(field, suggest)?.word !== typed.word) return; // the user has typed more during the request
  const sought = typed.word.toLowerCase();
  show(field, typed.start, all.filter(({ name }) => name.toLowerCase().includes(sought)).slice(0, MAX_SUGGESTIONS));
}

document.addEventListener("input", ({ target: field }) => {
  if (!(field instanceof HTMLTextAreaElement)) return;
  if (field.dataset["limit"] !== undefined) showRoom(field);
  const container = field.closest("[data-suggest]");
  if (container instanceof HTMLElement) void offer(field, container);
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
