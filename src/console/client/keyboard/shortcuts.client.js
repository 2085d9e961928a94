const SWITCH = "shortcuts";

export const isMac = /Mac|iPhone|iPad/.test(navigator.userAgent);

/** @type {(element: Element) => boolean} */
const isVisible = (element) => element instanceof HTMLElement && element.offsetParent !== null;

const FIELDS = "input:not([type=checkbox], [type=radio], [type=hidden]), textarea, select";

/** @type {(element: HTMLElement) => void} */
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

/** @type {() => Map<string, HTMLElement>} */
export function listShortcuts() {
  const found = new Map();
  for (const element of document.querySelectorAll("[data-key]"))
    if (isVisible(element)) found.set(element.getAttribute("data-key") ?? "", element);
  return found;
}

/** @type {() => HTMLElement[]} */
export const listRows = () =>
  [...document.querySelectorAll("[data-rows] > li, main tbody > tr")].flatMap((row) => {
    const link = row.querySelector("a");
    return link !== null && isVisible(link) ? [link] : [];
  });

export const areShortcutsOn = () => localStorage.getItem(SWITCH) !== "off";
/** @type {(on: boolean) => void} */
export const switchShortcuts = (on) => localStorage.setItem(SWITCH, on ? "on" : "off");
