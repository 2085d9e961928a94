// The key in `data-key="e"` clicks or focuses the element, and `data-key="g i"` needs two keys. `j` and `k`
// move between rows. Does nothing in text fields or with Ctrl, Alt or Meta.
import { areShortcutsOn, isMac, listRows, listShortcuts, press } from "./shortcuts.client.js";

const SEQUENCE_MS = 1200;

/** @type {(step: 1 | -1) => void} */
function moveRow(step) {
  const rows = listRows();
  const focused = rows.findIndex((row) => row === document.activeElement);
  const current = focused === -1 ? rows.findIndex((row) => row.hasAttribute("aria-current")) : focused;
  const start = current === -1 && step === -1 ? rows.length : current;
  const row = rows[Math.min(Math.max(start + step, 0), rows.length - 1)];
  row?.focus();
  row?.scrollIntoView({ block: "nearest" });
}

let before = "";
let forgetting = 0;

/** True in fields and dialogs, where keys keep their usual effect.
 * @type {(target: EventTarget | null) => boolean} */
export const isReserved = (target) =>
  document.querySelector("dialog[open]") !== null ||
  (target instanceof Element &&
    target.closest("input:not([type=checkbox], [type=radio]), textarea, select, [contenteditable]") !== null);

/** @type {(key: string) => boolean} */
function pressKey(key) {
  const shortcuts = listShortcuts();
  const sequence = before === "" ? key : `${before} ${key}`;
  before = "";
  const element = shortcuts.get(sequence) ?? shortcuts.get(key);
  if (element !== undefined) press(element);
  else if (key === "j" || key === "k") moveRow(key === "j" ? 1 : -1);
  else if (key === "/") document.querySelector("input[type=search]")?.closest("input")?.focus();
  else if (key === "?") void import("./palette.client.js").then(({ showShortcuts }) => showShortcuts());
  else if ([...shortcuts.keys()].some((each) => each.startsWith(`${key} `))) {
    before = key;
    clearTimeout(forgetting);
    forgetting = setTimeout(() => (before = ""), SEQUENCE_MS);
  } else return false;
  return true;
}

/** @type {() => void} */
const openPalette = () => void import("./palette.client.js").then(({ showPalette }) => showPalette());

export function listenForKeys() {
  document.addEventListener("keydown", (event) => {
    if ((event.ctrlKey || event.metaKey) && !event.altKey && !event.shiftKey && event.key.toLowerCase() === "k") {
      if (document.querySelector("[data-palette]") === null) return;
      event.preventDefault();
      openPalette();
      return;
    }
    if (event.ctrlKey || event.metaKey || event.altKey || event.isComposing || event.defaultPrevented) return;
    if (event.key.length !== 1 || isReserved(event.target) || !areShortcutsOn()) return;
    if (pressKey(event.key)) event.preventDefault();
  });

  document.addEventListener("click", (event) => {
    const link = event.target instanceof Element ? event.target.closest("[data-palette]") : null;
    if (link === null || event.ctrlKey || event.metaKey || event.shiftKey) return;
    event.preventDefault();
    openPalette();
  });

  if (isMac) for (const hint of document.querySelectorAll("[data-palette] kbd")) hint.textContent = "⌘ K";
}
