// Shows the response to a form, such as a secret or the next step, without loading a new page. Back in the
// browser then returns to the form with the user's input.
import { make } from "./elements.client.js";
import { localiseTimes } from "./local-times.client.js";
import { parsePage } from "./requests.client.js";

/** @type {(root: ParentNode) => void} */
export function showFirstFault(root) {
  const found =
    root.querySelector('form [aria-invalid="true"], form .fault:not(:empty)') ??
    root.querySelector("main .banner.error");
  if (!(found instanceof HTMLElement)) return;
  found.closest("details")?.setAttribute("open", "");
  if (found.matches(".fault, .banner")) found.tabIndex = -1;
  found.focus();
}

/** @type {{ main: HTMLElement, title: string }[]} */
const visited = [];
let current = 0;

/** @type {(src: string) => string | undefined} */
const fileOf = (src) => src.split("/").at(-1);

/** @type {(page: Document) => void} */
function addScripts(page) {
  const loaded = new Set([...document.scripts].map(({ src }) => fileOf(src)));
  for (const script of page.querySelectorAll("script[src]")) {
    const src = script.getAttribute("src") ?? "";
    if (!loaded.has(fileOf(src))) document.head.append(make("script", { type: "module", src }));
  }
}

/** @type {(position: number) => void} */
function show(position) {
  const [before, next] = [document.getElementById("main"), visited[position]];
  if (before === null || next === undefined) return;
  before.replaceWith(next.main);
  document.title = next.title;
  current = position;
  next.main.focus({ preventScroll: true });
  next.main.dispatchEvent(new CustomEvent("swapped", { bubbles: true }));
}

/** @type {(html: string) => void} */
export function showPage(html) {
  const page = parsePage(html);
  const [before, main] = [document.getElementById("main"), page.getElementById("main")];
  if (before === null || main === null) return;
  visited.splice(current, Infinity, { main: before, title: document.title }, { main, title: page.title });
  history.replaceState({ position: current }, "");
  history.pushState({ position: current + 1 }, "");
  localiseTimes(main);
  show(current + 1);
  scrollTo(0, 0);
  showFirstFault(main);
  addScripts(page);
}

addEventListener("popstate", ({ state }) => {
  if (typeof state?.position === "number") show(state.position);
});
