import { Idiomorph } from "./idiomorph.js";
import { localiseTimes } from "./local-times.client.js";
import { isSignedOut, parsePage, UNSEEN, wait, offerSignIn } from "./requests.client.js";
import { showToast } from "./elements.client.js";

/**
 * A press ends after this time even if its release is not reported: browsers omit some, for example over the
 * list of a select.
 */
const LONGEST_PRESS_MS = 2000;

let released = Promise.resolve();

/** @type {(events: string[]) => void} */
function holdUntil(events) {
  const over = new AbortController();
  released = new Promise((resolve) => {
    // The timeout waits for the click, which browsers send after the release.
    const end = () => setTimeout(() => resolve(over.abort()));
    for (const event of events) addEventListener(event, end, { capture: true, signal: over.signal });
    setTimeout(end, LONGEST_PRESS_MS);
  });
}

addEventListener("pointerdown", () => holdUntil(["pointerup", "pointercancel"]), { capture: true });
addEventListener("keydown", ({ key, repeat }) => key === " " && !repeat && holdUntil(["keyup"]), { capture: true });

/** @type {(element: HTMLElement) => string[]} */
export const idsToSwap = (element) => (element.dataset["swap"] ?? "").split(" ").filter((id) => id !== "");

/** @type {Map<string, string>} */
const serverHtml = new Map();

/** Removes the form tokens, which differ on every page. Without them, two parts are equal if nothing else has
 * changed.
 * @type {(part: Element | null) => string} */
const htmlOf = (part) => part?.innerHTML.replaceAll(/(name="once" value=")[^"]*/g, "$1") ?? "";

/** @type {(ids: string[]) => void} */
export function rememberParts(ids) {
  for (const id of ids) serverHtml.set(id, htmlOf(document.getElementById(id)));
}

/** Describes a focused element that has no id by what it does. An update may reuse the element for another
 * record, and the focus must not move to that one.
 * @type {(element: Element | null) => string | undefined} */
function actOf(element) {
  if (element === null || element.id !== "") return undefined;
  const action = element.closest("form")?.getAttribute("action");
  if (element.matches("a, button, summary")) return `${element.outerHTML} ${action}`;
  if (!(element instanceof HTMLInputElement)) return element.getAttribute("name") ?? undefined;
  return `${element.name} ${["checkbox", "radio"].includes(element.type) ? element.value : ""} ${action}`;
}

/** @type {(part: HTMLElement, focused: Element | null, act: string | undefined) => void} */
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

/** False for a form that is being submitted and for a file that is being uploaded. The form must keep its token.
 * @type {(before: Node) => boolean} */
const isRenewed = (before) =>
  !(before instanceof Element && before.matches("form[data-sent], [data-upload]:has(progress:not([hidden]))"));

/** Gives an id to each form that is being submitted. Without an id, an update could reuse the form for another
 * record.
 * @type {(part: Element) => void} */
function setApartSent(part) {
  for (const [at, form] of part.querySelectorAll("form[data-sent]:not([id])").entries())
    form.setAttribute("id", `sent-${at}`);
}

/** @type {(name: string, element: Element) => boolean} */
const isAttributeRenewed = (name, element) =>
  !(name === "open" && element.id !== "" && element.matches("details, dialog"));

/** @type {(field: Node) => void} */
function forgetFile(field) {
  if (field instanceof HTMLInputElement && field.type === "file") field.value = "";
}

/** Makes `before` look like `after`. An element that is in both keeps its state, such as open, playing, selected
 * or focused.
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

/** @type {(page: Document, ids: string[], always: boolean) => void} */
export function swapParts(page, ids, always) {
  for (const id of ids) {
    const [before, after] = [document.getElementById(id), page.getElementById(id)];
    if (before === null || after === null || (!always && serverHtml.get(id) === htmlOf(after))) continue;
    serverHtml.set(id, htmlOf(after));
    swapElement(before, after);
  }
}

/** @type {(response: Response, html: string, ids: string[], always: boolean) => void} */
export function showAnswer(response, html, ids, always) {
  const isThisPage = new URL(response.url).pathname === location.pathname;
  if (response.redirected && !isThisPage) location.assign(response.url);
  else swapParts(parsePage(html), ids, always);
}

/**
 * The number of submissions so far. If a page was requested before the latest submission, it may lack the
 * change and is ignored.
 */
let generation = 0;
export const ignoreEarlierPages = () => void generation++;

let missed = () => Promise.resolve(true);

let isLost = false;

/** @type {(status: number) => void} */
function reportLoss(status) {
  isLost = true;
  const isGone = status === 404;
  const act = isGone
    ? { label: "Reload", run: () => location.reload() }
    : { label: "Go to your workspaces", run: () => location.assign("/console/workspaces") };
  const reason = isGone ? "This was deleted or merged." : "You no longer have access to this page.";
  showToast(`${reason} This page no longer updates.`, { kind: "error", act, isFixed: true });
}

/** Fetches the page and updates parts of it. Returns false if the user submitted a form during the request,
 * because the fetched page may lack the change. If the session has ended, nothing is updated.
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
    reportLoss(response.status);
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
  missed().catch(() => {}); // if the browser is offline, the next refresh can succeed
  missed = () => Promise.resolve(true);
});

let lastFiltered = "";

/** @type {(url: URL, ids: string[]) => Promise<void>} */
export async function showFiltered(url, ids) {
  history.replaceState(null, "", url);
  generation++;
  lastFiltered = url.href;
  const isCurrent = await refreshParts(url.href, ids);
  if (!isCurrent && url.href === lastFiltered) await showFiltered(url, ids);
}

/** Browsers let a request of at most this size continue after its page is closed. They abort larger ones. */
const MAX_KEPT_BYTES = 60_000;
const LONGEST_WAIT_MS = 30_000;

/** @type {Promise<unknown>} */
let underWay = Promise.resolve();

/**
 * Waits until all submissions have ended. During a submission, an updated page could show the same message
 * twice: as pending and as sent.
 */
export async function untilAnswered() {
  for (let before = null; before !== underWay; await wait(0)) {
    before = underWay;
    await before;
  }
}

/** @type {<F>(url: string, body: URLSearchParams, ids: string[], readFailure: (response: Response | null, html: string) => F | null,
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
