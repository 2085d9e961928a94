// The inbox: days and times in the reader's time zone, unsent replies, previews, and new messages read aloud.
import { memberId } from "./requests.client.js";

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

/** @type {(at: Date) => string} */
function formatBriefly(at) {
  const now = new Date();
  if (at.toDateString() === now.toDateString()) return formatTime(at);
  const year = at.getFullYear() === now.getFullYear() ? {} : { year: /** @type {const} */ ("numeric") };
  return at.toLocaleDateString([], { day: "numeric", month: "short", ...year });
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
    if (time.closest(".brief") !== null) time.textContent = formatBriefly(at);
  }
  for (const list of root.querySelectorAll(".thread-messages")) separateDays(list);
}

const UNSENT_REPLY = `draft:${memberId()}:${location.pathname}`; // its key in the browser's storage

/** Keeps what is typed, over reloads and sessions, until it is sent.
 * @type {(text: string) => void} */
function keepReply(text) {
  if (text === "") localStorage.removeItem(UNSENT_REPLY);
  else localStorage.setItem(UNSENT_REPLY, text);
}

/** @type {() => HTMLTextAreaElement | null} */
const replyField = () => document.querySelector(".reply-form textarea");

/** Puts back a reply that was typed before the page was left, unless it was sent. */
function restoreReply() {
  const field = replyField();
  const text = localStorage.getItem(UNSENT_REPLY) ?? "";
  const lastSent = [...document.querySelectorAll(".message.out .body")].at(-1)?.lastChild?.textContent;
  if (text === lastSent) keepReply("");
  else if (field !== null && field.value === "") field.value = text;
}

/** The reply on its way and the field it was typed in.
 * @type {{ field: HTMLTextAreaElement, text: string } | null} */
let sending = null;

/** The text typed while the reply was on its way.
 * @type {(sent: { field: HTMLTextAreaElement, text: string }) => string} */
const typedSince = ({ field, text }) => (field.value.startsWith(text) ? field.value.slice(text.length) : field.value);

document.addEventListener("input", (event) => {
  if (event.target === replyField()) keepReply(replyField()?.value ?? "");
});

document.addEventListener("submit", (event) => {
  const field = replyField();
  if (field !== null && field.form === event.target) sending = { field, text: field.value };
});

document.addEventListener("keydown", (event) => {
  const field = replyField();
  if (event.key !== "Enter" || !(event.ctrlKey || event.metaKey) || event.target !== field) return;
  event.preventDefault();
  field?.form?.requestSubmit();
});

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

/** Once the reply is sent, the address no longer asks for its quote. */
function forgetQuote() {
  if (document.querySelector("#quote [name=reply_to]") !== null) return;
  const url = new URL(location.href);
  url.searchParams.delete("reply_to");
  history.replaceState(null, "", url);
}

document.addEventListener("swapped", (event) => {
  const part = event.target;
  if (!(part instanceof HTMLElement)) return;
  localiseThread(part);
  if (part.id === "thread") announceNewMessage();
  if (part.id !== "reply") return;
  const field = replyField();
  const sent = sending;
  sending = null;
  if (field === null || sent === null) return;
  forgetQuote();
  if (field.value === "") {
    field.value = typedSince(sent);
    keepReply(field.value);
    document.querySelector(".messages")?.scrollTo({ top: 0 }); // to the newest message: the list is laid out from its end
  }
  field.focus();
});

localiseThread(document);
restoreReply();
