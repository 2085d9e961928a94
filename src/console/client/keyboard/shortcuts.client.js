// The shortcuts and rows of the page that is shown, and whether the reader wants shortcuts of single keys.

const SWITCH = "shortcuts"; // in the browser's storage: "off" for readers whose software presses keys for them

export const isMac = /Mac|iPhone|iPad/.test(navigator.userAgent);

/** @type {(element: Element) => boolean} */
const isShown = (element) => element instanceof HTMLElement && element.offsetParent !== null;

const FIELDS = "input:not([type=checkbox], [type=radio], [type=hidden]), textarea, select";

/** Presses an element, or focuses it where it is a field. A menu that opens shows where to go on.
 * @type {(element: HTMLElement) => void} */
export function press(element) {
  if (element.matches(FIELDS)) return element.focus();
  element.click();
  const menu = element.closest("details.menu > summary")?.parentElement;
  const [first] = menu?.querySelectorAll(`div :is(a, button, ${FIELDS})`) ?? [];
  if (menu?.hasAttribute("open") && first instanceof HTMLElement) first.focus();
}

/** @type {(element: Element) => string} */
export const labelOf = (element) =>
  (
    element.getAttribute("data-act") ??
    element.getAttribute("aria-label") ??
    (element instanceof HTMLTextAreaElement ? element.labels[0] : (element.querySelector(":scope > .name") ?? element))
      ?.textContent ??
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
