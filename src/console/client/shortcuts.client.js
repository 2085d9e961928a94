// The shortcuts and rows of the page that is shown, and whether the reader wants shortcuts of single keys.

const SWITCH = "shortcuts"; // in the browser's storage: "off" for readers whose software presses keys for them

export const isMac = /Mac|iPhone|iPad/.test(navigator.userAgent);

/** @type {(element: Element) => boolean} */
const isShown = (element) => element instanceof HTMLElement && element.offsetParent !== null;

/** @type {(element: Element) => string} */
export const labelOf = (element) =>
  (
    element.getAttribute("aria-label") ??
    (element instanceof HTMLTextAreaElement ? element.labels[0]?.textContent : element.textContent) ??
    ""
  )
    .replace(/\s+/g, " ")
    .trim();

/** Elements with a key that are in sight, by their key.
 * @type {() => Map<string, HTMLElement>} */
export function listShortcuts() {
  const found = new Map();
  for (const element of document.querySelectorAll("[data-key]"))
    if (isShown(element)) found.set(element.getAttribute("data-key") ?? "", element);
  return found;
}

/** The link of each row of the page's lists.
 * @type {() => HTMLElement[]} */
export const listRows = () =>
  [...document.querySelectorAll("[data-rows] > li, main tbody > tr")].flatMap((row) => {
    const link = row.querySelector("a");
    return link !== null && isShown(link) ? [link] : [];
  });

export const areShortcutsOn = () => localStorage.getItem(SWITCH) !== "off";
/** @type {(on: boolean) => void} */
export const switchShortcuts = (on) => localStorage.setItem(SWITCH, on ? "on" : "off");
