// Shows a form's response page, such as a secret or the next step, in the current page. Back returns to the form with
// its input.
import { showFirstFault } from "./forms/faults.client.js";
import { make } from "./elements.client.js";
import { localiseTimes } from "./local-times.client.js";
import { parsePage } from "./pages/requests.client.js";

/** Shown pages, by the number in their history entry.
 * @type {{ main: HTMLElement, title: string }[]} */
const shown = [];
let current = 0;

/** @type {(src: string) => string | undefined} */
const fileOf = (src) => src.split("/").at(-1);

/** @type {(page: Document) => void} */
function addScripts(page) {
  const known = new Set([...document.scripts].map(({ src }) => fileOf(src)));
  for (const script of page.querySelectorAll("script[src]")) {
    const src = script.getAttribute("src") ?? "";
    if (!known.has(fileOf(src))) document.head.append(make("script", { type: "module", src }));
  }
}

/** @type {(at: number) => void} */
function show(at) {
  const [before, next] = [document.getElementById("main"), shown[at]];
  if (before === null || next === undefined) return;
  before.replaceWith(next.main);
  document.title = next.title;
  current = at;
  next.main.focus({ preventScroll: true });
  next.main.dispatchEvent(new CustomEvent("swapped", { bubbles: true }));
}

/** @type {(html: string) => void} */
export function showPage(html) {
  const page = parsePage(html);
  const [before, main] = [document.getElementById("main"), page.getElementById("main")];
  if (before === null || main === null) return;
  shown.splice(current, Infinity, { main: before, title: document.title }, { main, title: page.title });
  history.replaceState({ shown: current }, "");
  history.pushState({ shown: current + 1 }, "");
  localiseTimes(main);
  show(current + 1);
  scrollTo(0, 0);
  showFirstFault(main);
  addScripts(page);
}

addEventListener("popstate", ({ state }) => {
  if (typeof state?.shown === "number") show(state.shown);
});
