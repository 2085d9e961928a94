// Replaces parts of a page by those of a newer version of it. Each part is an element with an id.
import { formatAge } from "./ages.client.js";
import { untilReleased } from "./presses.client.js";
import { isSignedOut, parsePage, UNSEEN, wait } from "./requests.client.js";
import { offerSignIn } from "./sign-in.client.js";
import { showToast } from "./toast.client.js";

/** How times are shown, by their `data-format`.
 * @type {ReadonlyMap<string, Intl.DateTimeFormatOptions>} */
const timeFormats = new Map([
  ["long", { dateStyle: "medium", timeStyle: "short" }],
  ["short", { day: "numeric", month: "short", hour: "2-digit", minute: "2-digit" }],
  ["clock", { hour: "2-digit", minute: "2-digit" }],
]);

/** @type {(root: ParentNode) => void} */
export function localiseTimes(root) {
  for (const time of root.querySelectorAll("time")) {
    const at = new Date(time.dateTime);
    if (time.dataset["format"] === "none") continue;
    if (!time.dateTime.includes("T")) {
      time.textContent = at.toLocaleDateString([], { dateStyle: "medium", timeZone: "UTC" }); // a day, in any time zone
      continue;
    }
    time.title = time.textContent ?? "";
    const format = time.dataset["format"] ?? "long";
    const local = at.toLocaleString([], timeFormats.get(format === "age" ? "long" : format));
    if (format === "age") time.title = local;
    time.textContent = format === "age" ? formatAge(at) : local;
  }
}

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

/** True for elements that do the same: in a list that has grown, another record's may be in the same place.
 * @type {(one: Element | null, other: Element | null | undefined) => boolean} */
const isAlike = (one, other) =>
  one?.outerHTML === other?.outerHTML &&
  one?.closest("form")?.getAttribute("action") === other?.closest("form")?.getAttribute("action");

/** What finds the element that is in the place of this one: by its id, or by the nearest one around it and the way down from there.
 * @type {(element: Element | null) => () => Element | null | undefined} */
function placeOf(element) {
  /** @type {number[]} */
  const way = [];
  let above = element;
  for (; above?.parentElement && above.id === ""; above = above.parentElement)
    way.unshift([...above.parentElement.children].indexOf(above));
  const id = above?.id ?? "";
  return () => {
    let at = /** @type {Element | null | undefined} */ (document.getElementById(id));
    for (const index of way) at = at?.children[index];
    return way.length === 0 || isAlike(element, at) ? at : null;
  };
}

/** Focuses the element that the page asks for, else the one that replaced the focused one, else the part itself, so that
 * the keyboard goes on from there.
 * @type {(part: HTMLElement, findSame: () => Element | null | undefined) => void} */
function moveFocus(part, findSame) {
  const requested = part.querySelector("[autofocus]");
  const same = findSame();
  if (requested instanceof HTMLElement) requested.focus();
  else if (same instanceof HTMLElement) same.focus();
  if (part.contains(document.activeElement)) return;
  part.tabIndex = -1;
  part.focus({ preventScroll: true });
}

/** Players that run in a part, by their address, and the time that each has reached.
 * @type {(part: Element) => Map<string, number>} */
function listPlaying(part) {
  const players = [...part.querySelectorAll("audio, video")].filter((player) => player instanceof HTMLMediaElement);
  return new Map(players.filter(({ paused }) => !paused).map(({ src, currentTime }) => [src, currentTime]));
}

/** Lets what played before a part was replaced play on.
 * @type {(part: Element, playing: Map<string, number>) => void} */
function playOn(part, playing) {
  for (const player of part.querySelectorAll("audio, video")) {
    const at = player instanceof HTMLMediaElement ? playing.get(player.src) : undefined;
    if (!(player instanceof HTMLMediaElement) || at === undefined) continue;
    player.currentTime = at;
    player.play().catch(() => {}); // it may be refused; the reader presses play again
  }
}

/** Replaces an element; what was open, playing or in focus goes on in the other.
 * @type {(before: HTMLElement, after: HTMLElement) => void} */
export function swapElement(before, after) {
  const focused = document.activeElement;
  const [hadFocus, findSame] = [before.contains(focused), placeOf(focused)];
  localiseTimes(after);
  for (const { id: open } of before.querySelectorAll("details[open][id]"))
    after.querySelector(`[id="${open}"]`)?.setAttribute("open", "");
  const playing = listPlaying(before);
  before.replaceWith(after);
  playOn(after, playing);
  if (hadFocus) moveFocus(after, findSame);
  after.dispatchEvent(new CustomEvent("swapped", { bubbles: true }));
}

/** Replaces parts by those of the same id in `html`; unchanged ones only where `always` is true.
 * @type {(html: string, ids: string[], always: boolean) => void} */
export function swapParts(html, ids, always) {
  const page = parsePage(html);
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
  else swapParts(html, ids, always);
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
  const reason = isGone ? "This is deleted or merged by now." : "You no longer have access to this page.";
  showToast(`${reason} It is not kept up to date.`, { kind: "error", act, isFixed: true });
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
  await untilReleased();
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
  if (ids.length > 0) await untilReleased();
  if (ids.length > 0) generation++;
  const failure = readFailure(response, html);
  if (failure === null) {
    onAccepted();
    swapParts(html, ids, true);
  }
  return failure;
}
