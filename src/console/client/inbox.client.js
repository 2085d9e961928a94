// The inbox: days and times in the reader's time zone, how many rows are ticked, and new messages read aloud.
import { markRows } from "./draft-marks.client.js";

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

/** Separates messages by days in the reader's time zone, in place of those in UTC.
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

/** Has screen readers read a new message from the contact aloud. */
function announceNewMessage() {
  const message = newestMessage();
  if (message === undefined || message.id === announced) return;
  announced = message.id;
  const announcement = document.getElementById("new-message");
  if (announcement !== null && message.classList.contains("in"))
    announcement.textContent = `New message. ${message.querySelector(".body")?.textContent ?? ""}`;
}

document.addEventListener("swapped", (event) => {
  const part = event.target;
  if (!(part instanceof HTMLElement)) return;
  localiseThread(part);
  if (part.id === "thread") announceNewMessage();
});

/** Says how many conversations the bar above the list acts on. */
function countTicked() {
  const count = document.querySelectorAll("#conversations [name=ids]:checked").length;
  const place = document.getElementById("bulk-count");
  if (place !== null) place.textContent = count === 0 ? "" : `${count} selected`;
}

document.addEventListener("change", ({ target }) => {
  if (target instanceof HTMLInputElement && target.name === "ids") countTicked();
});
document.addEventListener("reset", () => setTimeout(countTicked));

localiseThread(document);
countTicked();

document.addEventListener("swapped", markRows);
addEventListener("storage", markRows);
markRows();
