// The inbox: local times, the number of selected rows, and new messages: announced to screen readers, and added
// without scrolling.
import { markRows } from "./draft-marks.client.js";

/** Within this distance, the newest message is visible. */
const AT_END_PX = 8;

/** @type {(at: Date) => string} */
const formatTime = (at) => at.toLocaleTimeString([], { timeStyle: "short" });

/** @type {(at: Date) => string} */
function formatDay(at) {
  const days = new Intl.RelativeTimeFormat([], { numeric: "auto" });
  for (const ago of [0, 1]) {
    const day = new Date();
    day.setDate(day.getDate() - ago);
    const name = days.format(-ago, "day");
    if (day.toDateString() === at.toDateString()) return name.charAt(0).toUpperCase() + name.slice(1);
  }
  return at.toLocaleDateString([], { dateStyle: "full" });
}

/** Groups messages by days in the reader's time zone instead of UTC.
 * @type {(list: Element) => void} */
function separateDays(list) {
  for (const day of list.querySelectorAll(".day")) day.remove();
  let lastDay = "";
  for (const message of list.querySelectorAll(".message")) {
    const at = new Date(message.querySelector("time")?.dateTime ?? 0);
    if (at.toDateString() === lastDay) continue;
    lastDay = at.toDateString();
    const day = document.createElement("li");
    day.className = "day";
    day.textContent = formatDay(at);
    message.before(day);
  }
}

/** @type {(root: ParentNode) => void} */
function localiseThread(root) {
  for (const time of root.querySelectorAll("time")) {
    const at = new Date(time.dateTime);
    if (time.closest(".clock") !== null) time.textContent = formatTime(at);
  }
  for (const list of root.querySelectorAll(".thread-messages")) separateDays(list);
}

const newestMessage = () => [...document.querySelectorAll(".thread-messages .message")].at(-1);
let announced = newestMessage()?.id;

/** Announces a new message from the contact to screen readers. */
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

/** The first visible message and its offset from the region's edge; null if the newest message is visible.
 * @type {{ id: string, below: number } | null} */
let reading = null;

/** @type {(message: Element) => number} */
const distanceOf = (message) => message.getBoundingClientRect().top - (region?.getBoundingClientRect().top ?? 0);

function rememberPlace() {
  const isAtEnd = region === null || Math.abs(region.scrollTop) < AT_END_PX;
  const messages = isAtEnd ? [] : [...region.querySelectorAll(".thread-messages .message[id]")];
  const first = messages.find((message) => distanceOf(message) >= 0) ?? messages.at(-1);
  reading = first === undefined ? null : { id: first.id, below: distanceOf(first) };
  if (isAtEnd) toNewest?.setAttribute("hidden", "");
}

/** The region is laid out from its end: without this, each new message would move the visible messages up. */
function keepPlace() {
  const message = document.getElementById(reading?.id ?? "");
  if (region !== null && reading !== null && message !== null) region.scrollTop += distanceOf(message) - reading.below;
}

region?.addEventListener("scroll", rememberPlace);
toNewest?.addEventListener("click", () => {
  region?.scrollTo({ top: 0 });
  if (region instanceof HTMLElement) region.focus({ preventScroll: true });
});

document.addEventListener("swapped", (event) => {
  const part = event.target;
  if (!(part instanceof HTMLElement)) return;
  localiseThread(part);
  if (part.id !== "thread") return;
  keepPlace();
  announceNewMessage();
});

/** Shows how many conversations the bulk bar acts on. */
function countTicked() {
  const count = document.querySelectorAll("#conversations [name=ids]:checked").length;
  const place = document.getElementById("bulk-count");
  if (place !== null) place.textContent = count === 0 ? "" : `${count} selected`;
}

document.addEventListener("change", ({ target }) => {
  if (target instanceof HTMLInputElement && target.name === "ids") countTicked();
});
document.addEventListener("reset", () => setTimeout(countTicked));
document.addEventListener("swapped", countTicked);

localiseThread(document);
countTicked();

document.addEventListener("swapped", markRows);
addEventListener("storage", markRows);
markRows();
