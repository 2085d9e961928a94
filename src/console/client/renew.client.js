// Renews parts of a page from a newer version of it. Each part is an element with an id.
import { Idiomorph } from "./idiomorph.js";
import { localiseTimes } from "./local-times.client.js";
import { isSignedOut, parsePage, UNSEEN, wait } from "./pages/requests.client.js";
import { offerSignIn } from "./pages/sign-in.client.js";
import { showToast } from "./toast.client.js";

/** The browser does not always report a release, as over the list of a select. */
const LONGEST_PRESS_MS = 2000;

/** Settles once nothing is pressed. Renewed between press and release, a button may belong to another record. */
let released = Promise.resolve();

/** @type {(events: string[]) => void} */
function holdUntil(events) {
  const over = new AbortController();
  released = new Promise((resolve) => {
    // The click follows the release.
    const end = () => setTimeout(() => resolve(over.abort()));
    for (const event of events) addEventListener(event, end, { capture: true, signal: over.signal });
    setTimeout(end, LONGEST_PRESS_MS);
  });
}

addEventListener("pointerdown", () => holdUntil(["pointerup", "pointercancel"]), { capture: true });
// The space bar presses a button as it is released.
addEventListener("keydown", ({ key, repeat }) => key === " " && !repeat && holdUntil(["keyup"]), { capture: true });

/** The ids in an element's `data-swap`.
 * @type {(element: HTMLElement) => string[]} */
export const idsToSwap = (element) => (element.dataset["swap"] ?? "").split(" ").filter((id) => id !== "");

/** The HTML of each part as the server sent it, by id.
 * @type {Map<string, string>} */
const serverHtml = new Map();

/** The HTML of a part without the tokens of its forms, which are new in each page.
 * @type {(part: Element | null) => string} */
const htmlOf = (part) => part?.innerHTML.replaceAll(/(name="once" value=")[^"]*/g, "$1") ?? "";

/** Keeps the HTML of parts, so that the first swap already leaves unchanged ones alone.
 * @type {(ids: string[]) => void} */
export function rememberParts(ids) {
  for (const id of ids) serverHtml.set(id, htmlOf(document.getElementById(id)));
}

/** What an element without an id does: in a list that has grown, the same element may belong to another record.
 * @type {(element: Element | null) => string | undefined} */
function actOf(element) {
  if (element === null || element.id !== "") return undefined;
  const action = element.closest("form")?.getAttribute("action");
  if (element.matches("a, button, summary")) return `${element.outerHTML} ${action}`;
  if (!(element instanceof HTMLInputElement)) return element.getAttribute("name") ?? undefined;
  return `${element.name} ${["checkbox", "radio"].includes(element.type) ? element.value : ""} ${action}`;
}

/** Focuses the element that the page asks for, else keeps the focus, else focuses the part itself, so that the keyboard continues there.
 * @type {(part: HTMLElement, focused: Element | null, act: string | undefined) => void} */
function keepFocus(part, focused, act) {
  const requested = part.querySelector("[autofocus]");
  if (requested instanceof HTMLElement) requested.focus();
  else if (focused instanceof HTMLElement && focused.isConnected && document.activeElement === document.body)
    focused.focus({ preventScroll: true });
  const { activeElement } = document;
  if (part.contains(activeElement) && (activeElement !== focused || actOf(focused) === act)) return;
  part.tabIndex = -1;
  part.focus({ preventScroll: true });
}

/** False for a form that is being sent, which keeps its token, and for a file that is being uploaded: they stay as they are.
 * @type {(before: Node) => boolean} */
const isRenewed = (before) =>
  !(before instanceof Element && before.matches("form[data-sent], [data-upload]:has(progress:not([hidden]))"));

/** Forms with an id are renewed by forms with the same id only. Without one, another record's form could take the place of a form that is
 * being sent.
 * @type {(part: Element) => void} */
function setApartSent(part) {
  for (const [at, form] of part.querySelectorAll("form[data-sent]:not([id])").entries())
    form.setAttribute("id", `sent-${at}`);
}

/** Menus and dialogs with an id stay open or closed.
 * @type {(name: string, element: Element) => boolean} */
const isAttributeRenewed = (name, element) =>
  !(name === "open" && element.id !== "" && element.matches("details, dialog"));

/** A file that was chosen is stored by now, or was removed.
 * @type {(field: Node) => void} */
function forgetFile(field) {
  if (field instanceof HTMLInputElement && field.type === "file") field.value = "";
}

/** Renews an element. Elements that both versions have stay, with what is open, playing, selected or in focus.
 * @type {(before: HTMLElement, after: HTMLElement) => void} */
export function swapElement(before, after) {
  const focused = document.activeElement;
  const [hadFocus, act] = [before.contains(focused), actOf(focused)];
  localiseTimes(after);
  setApartSent(before);
  void Idiomorph.morph(before, after, {
    callbacks: {
      beforeNodeMorphed: isRenewed,
      afterNodeMorphed: forgetFile,
      beforeAttributeUpdated: isAttributeRenewed,
    },
  });
  if (hadFocus) keepFocus(before, focused, act);
  before.dispatchEvent(new CustomEvent("swapped", { bubbles: true }));
}

/** Renews parts by those of the same id in `page`; unchanged ones only where `always` is true.
 * @type {(page: Document, ids: string[], always: boolean) => void} */
export function swapParts(page, ids, always) {
  for (const id of ids) {
    const [before, after] = [document.getElementById(id), page.getElementById(id)];
    if (before === null || after === null || (!always && serverHtml.get(id) === htmlOf(after))) continue;
    serverHtml.set(id, htmlOf(after));
    swapElement(before, after);
  }
}

/** Swaps the parts of an answer, or follows it to another page.
 * @type {(response: Response, html: string, ids: string[], always: boolean) => void} */
export function showAnswer(response, html, ids, always) {
  const isThisPage = new URL(response.url).pathname === location.pathname;
  if (response.redirected && !isThisPage) location.assign(response.url);
  else swapParts(parsePage(html), ids, always);
}

/** Raised with each change that is sent. A page that was asked for under an earlier one may be out of date when it arrives. */
let generation = 0;
export const ignoreEarlierPages = () => void generation++;

/** Repeats the refresh that found the session ended, if one has. */
let missed = () => Promise.resolve(true);

let isLost = false;

/** Says that the page is refused by now: members may be removed, or have another role, and records may be deleted or merged.
 * @type {(status: number) => void} */
function tellLoss(status) {
  isLost = true;
  const isGone = status === 404;
  const act = isGone
    ? { label: "Load it anew", run: () => location.reload() }
    : { label: "Go to your workspaces", run: () => location.assign("/console/workspaces") };
  const reason = isGone ? "This was deleted or merged." : "You no longer have access to this page.";
  showToast(`${reason} This page no longer updates.`, { kind: "error", act, isFixed: true });
}

/** Fetches a page and swaps its parts, unless a form was sent meanwhile: then it is false, and the parts are still to be fetched. Where
 * the session or the right to see it has ended, the page stays as it is, with what is typed in it; where it can, it offers to sign in.
 * Parts for which `isKept` is true when the page arrives stay as they are.
 * @type {(url: string, ids: string[], isKept?: (id: string) => boolean) => Promise<boolean>} */
export async function refreshParts(url, ids, isKept = () => false) {
  if (isLost) return true;
  const before = generation;
  const response = await fetch(url, { headers: UNSEEN });
  if (isSignedOut(response)) {
    missed = () => refreshParts(url, ids, isKept);
    offerSignIn();
    return true;
  }
  if (response.status === 403 || response.status === 404) {
    tellLoss(response.status);
    return true;
  }
  const html = await response.text();
  await released;
  if (before !== generation) return false;
  const swapped = ids.filter((id) => !isKept(id));
  showAnswer(response, html, swapped, false);
  return true;
}

document.addEventListener("signed-in", () => {
  missed().catch(() => {}); // out of reach: the next refresh may succeed
  missed = () => Promise.resolve(true);
});

let lastFiltered = "";

/** Shows what a form of filters finds, unless others are chosen meanwhile, and puts the filters into the address.
 * @type {(url: URL, ids: string[]) => Promise<void>} */
export async function showFiltered(url, ids) {
  history.replaceState(null, "", url);
  generation++;
  lastFiltered = url.href;
  const isShown = await refreshParts(url.href, ids);
  if (!isShown && url.href === lastFiltered) await showFiltered(url, ids);
}

/** Browsers let requests of more bytes end with their page. */
const MAX_KEPT_BYTES = 60_000;
const LONGEST_WAIT_MS = 30_000;

/** What is on its way and swaps parts once it is accepted.
 * @type {Promise<unknown>} */
let underWay = Promise.resolve();

/** A newer page may have what is still shown as on its way: shown before the answer, it would stand there twice. What waits for its
 * turn is sent as soon as the one before is answered. */
export async function untilAnswered() {
  for (let before = null; before !== underWay; await wait(0)) {
    before = underWay;
    await before;
  }
}

/** Sends what a form would, also where the page is left meanwhile. Once it is accepted, swaps parts, after `onAccepted`. Gives what
 * `readFailure` finds; without an answer in time it gets null.
 * @type {<F>(url: string, body: URLSearchParams, ids: string[], readFailure: (response: Response | null, html: string) => F | null,
 *   onAccepted: () => void) => Promise<F | null>} */
export function sendFields(url, body, ids, readFailure, onAccepted) {
  const answered = sendAndSwap(url, body, ids, readFailure, onAccepted);
  if (ids.length > 0) underWay = Promise.allSettled([underWay, answered]);
  return answered;
}

/** @type {typeof sendFields} */
async function sendAndSwap(url, body, ids, readFailure, onAccepted) {
  const keepalive = body.toString().length <= MAX_KEPT_BYTES;
  const signal = AbortSignal.timeout(LONGEST_WAIT_MS);
  if (ids.length > 0) generation++;
  const response = await fetch(url, { method: "POST", body, keepalive, signal, headers: UNSEEN }).catch(() => null);
  const html = (await response?.text().catch(() => "")) ?? "";
  if (ids.length > 0) await released;
  if (ids.length > 0) generation++;
  const failure = readFailure(response, html);
  if (failure === null) {
    onAccepted();
    swapParts(parsePage(html), ids, true);
  }
  return failure;
}
