// If a message arrives while the user reads an older one, the thread does not move. Screen readers announce the
// new message.
import { forEachPart, make } from "../elements.client.js";
import { LOCALE } from "../local-times.client.js";
import { markRows } from "./draft-marks.client.js";

/** At most this far from its end, the thread still shows the newest message. */
const AT_END_PX = 8;

/** @type {(at: Date) => string} */
function formatDay(at) {
  const days = new Intl.RelativeTimeFormat(LOCALE, { numeric: "auto" });
  for (const ago of [0, 1]) {
    const day = new Date();
    day.setDate(day.getDate() - ago);
    const name = days.format(-ago, "day");
    if (day.toDateString() === at.toDateString()) return name.charAt(0).toUpperCase() + name.slice(1);
  }
  return at.toLocaleDateString(LOCALE, { dateStyle: "full" });
}

/** The server adds headings for UTC days. This replaces them with headings for days in the reader's time zone.
 * @type {(list: Element) => void} */
function separateDays(list) {
  for (const day of list.querySelectorAll(".day")) day.remove();
  let lastDay = "";
  for (const message of list.querySelectorAll(".message")) {
    const at = new Date(message.querySelector("time")?.dateTime ?? 0);
    if (at.toDateString() === lastDay) continue;
    lastDay = at.toDateString();
    message.before(make("li", { class: "day" }, formatDay(at)));
  }
}

/** @type {(root: ParentNode) => void} */
function localiseThread(root) {
  for (const time of root.querySelectorAll("time"))
    if (time.closest(".clock") !== null)
      time.textContent = new Date(time.dateTime).toLocaleTimeString(LOCALE, { timeStyle: "short" });
  for (const list of root.querySelectorAll(".thread-messages")) separateDays(list);
}

const newestMessage = () => [...document.querySelectorAll(".thread-messages .message")].at(-1);
let announced = newestMessage()?.id;

function announceNewMessage() {
  const message = newestMessage();
  if (message === undefined || message.id === announced) return;
  announced = message.id;
  const announcement = document.getElementById("new-message");
  if (announcement !== null && message.classList.contains("in"))
    announcement.textContent = `New message. ${message.querySelector(".body")?.textContent ?? ""}`;
  toNewest?.toggleAttribute("hidden", reading === null);
}

const region = document.querySelector(".messages");
const toNewest = document.getElementById("to-newest");

/** The first visible message and its distance from the top. Null if the newest message is visible, because the
 * thread then need not keep its position.
 * @type {{ id: string, below: number } | null} */
let reading = null;

/** @type {(message: Element) => number} */
const distanceOf = (message) => message.getBoundingClientRect().top - (region?.getBoundingClientRect().top ?? 0);

function rememberPosition() {
  const isAtEnd = region === null || Math.abs(region.scrollTop) < AT_END_PX;
  const messages = isAtEnd ? [] : [...region.querySelectorAll(".thread-messages .message[id]")];
  const first = messages.find((message) => distanceOf(message) >= 0) ?? messages.at(-1);
  reading = first === undefined ? null : { id: first.id, below: distanceOf(first) };
  if (isAtEnd) toNewest?.setAttribute("hidden", "");
}

/**
 * Scrolls back to the message that the user is reading. The list is laid out from its end, so a new message has
 * moved the older ones up.
 */
function keepPosition() {
  const message = document.getElementById(reading?.id ?? "");
  if (region !== null && reading !== null && message !== null) region.scrollTop += distanceOf(message) - reading.below;
}

region?.addEventListener("scroll", rememberPosition);
toNewest?.addEventListener("click", () => {
  region?.scrollTo({ top: 0 });
  if (region instanceof HTMLElement) region.focus({ preventScroll: true });
});

forEachPart(localiseThread);
document.addEventListener("swapped", (event) => {
  if (!(event.target instanceof HTMLElement) || event.target.id !== "thread") return;
  keepPosition();
  announceNewMessage();
});

function countTicked() {
  const count = document.querySelectorAll("#conversations [name=ids]:checked").length;
  const label = document.getElementById("bulk-count");
  if (label !== null) label.textContent = count === 0 ? "" : `${count} selected`;
}

document.addEventListener("change", ({ target }) => {
  if (target instanceof HTMLInputElement && target.name === "ids") countTicked();
});
document.addEventListener("reset", () => setTimeout(countTicked));
addEventListener("storage", markRows);
forEachPart(countTicked);
forEachPart(markRows);

const KEY = "focus"; // stores selectors: after the next page load, the first visible element that matches one of them gets the focus

/** @type {(selectors: (string | undefined)[]) => void} */
const remember = (selectors) =>
  sessionStorage.setItem(KEY, JSON.stringify(selectors.filter((each) => each !== undefined)));

/** @type {() => Element[]} */
const listLinks = () => [...document.querySelectorAll("#conversations [data-rows] a")];

/** @type {(isLeaving: (link: Element) => boolean) => string[]} */
function rowsInstead(isLeaving) {
  const links = listLinks();
  const first = links.findIndex(isLeaving);
  if (first === -1) return [];
  const others = [...links.slice(first), ...links.slice(0, first).toReversed()].filter((link) => !isLeaving(link));
  return others.map(({ id }) => `#${id}`);
}

/** @type {(link: Element) => boolean} */
const isTicked = (link) => link.closest("li")?.querySelector(":checked") !== null;

document.addEventListener("submit", ({ target: form, submitter }) => {
  if (!(form instanceof HTMLFormElement) || form.dataset["swap"] !== undefined || form.method !== "post") return;
  const menu = form.closest("details.menu[id]");
  const fields = new FormData(form);
  if (form.id === "bulk") return remember([...rowsInstead(isTicked), "#conversations a"]);
  if (fields.get("status") === "done")
    return remember([...rowsInstead((link) => link.hasAttribute("aria-current")), '[data-key="e"]']);
  const [, conversation] = /\/(cnv_\w+)\//.exec(form.action) ?? [];
  const key = submitter?.getAttribute("data-key");
  remember([
    menu === null ? undefined : `#${menu.id} > summary`,
    key === null || key === undefined ? undefined : `[data-key="${key}"]`,
    conversation === undefined ? undefined : `#row-${conversation}`,
    "#conversations a",
  ]);
});

document.addEventListener("click", ({ target }) => {
  const link = target instanceof Element ? target.closest("#conversations [data-rows] a") : null;
  if (link !== null) remember([`#${link.id}`]);
});

/** @type {string[]} */
const wanted = JSON.parse(sessionStorage.getItem(KEY) ?? "[]");
sessionStorage.removeItem(KEY);
const found = wanted
  .map((selector) => document.querySelector(selector))
  .find((element) => element instanceof HTMLElement && element.offsetParent !== null);
if (found instanceof HTMLElement && document.activeElement === document.body) found.focus();
