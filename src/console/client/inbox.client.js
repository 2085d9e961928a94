// What the inbox does better where scripts run: days and times of the reader, drafts, previews, and news read aloud.

/** @type {(at: Date) => string} */
const clock = (at) => at.toLocaleTimeString([], { timeStyle: "short" });

/** @type {(at: Date) => string} */
function dayOf(at) {
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
function briefly(at) {
  const now = new Date();
  if (at.toDateString() === now.toDateString()) return clock(at);
  const year = at.getFullYear() === now.getFullYear() ? {} : { year: /** @type {const} */ ("numeric") };
  return at.toLocaleDateString([], { day: "numeric", month: "short", ...year });
}

/** Days as the reader counts them, in place of those of UTC.
 * @type {(list: Element) => void} */
function separateDays(list) {
  for (const day of list.querySelectorAll(".day")) day.remove();
  let last = "";
  for (const message of list.querySelectorAll(".message")) {
    const at = new Date(message.querySelector("time")?.dateTime ?? 0);
    if (at.toDateString() === last) continue;
    last = at.toDateString();
    const day = document.createElement("li");
    day.className = "day";
    day.textContent = dayOf(at);
    message.before(day);
  }
}

/** @type {(root: ParentNode) => void} */
function improve(root) {
  for (const time of root.querySelectorAll("time")) {
    const at = new Date(time.dateTime);
    if (time.closest(".clock") !== null) time.textContent = clock(at);
    if (time.closest(".brief") !== null) time.textContent = briefly(at);
  }
  for (const list of root.querySelectorAll(".said")) separateDays(list);
}

const DRAFT = `draft:${location.pathname}`;

/** @type {() => HTMLTextAreaElement | null} */
const replyField = () => document.querySelector(".reply-form textarea");

/** A draft outlives leaving the page, but not being sent. */
function restoreDraft() {
  const field = replyField();
  const draft = sessionStorage.getItem(DRAFT) ?? "";
  const said = [...document.querySelectorAll(".message.out .body")].at(-1)?.lastChild?.textContent;
  if (draft === said) sessionStorage.removeItem(DRAFT);
  else if (field !== null && field.value === "") field.value = draft;
}

/** What was sent, and the field it was sent from.
 * @type {{ field: HTMLTextAreaElement, text: string } | null} */
let sending = null;

/** What was typed while the message was on its way.
 * @type {(sent: { field: HTMLTextAreaElement, text: string }) => string} */
const typedSince = ({ field, text }) => (field.value.startsWith(text) ? field.value.slice(text.length) : field.value);

/** @type {(event: Event) => void} */
function showFilled(event) {
  const field = event.target;
  if (!(field instanceof HTMLInputElement) || !field.name.startsWith("variables.")) return;
  const name = field.name.slice("variables.".length);
  for (const place of document.querySelectorAll(".filled")) {
    if (!(place instanceof HTMLElement) || place.dataset["variable"] !== name) continue;
    place.textContent = field.value.trim() === "" ? (place.dataset["left"] ?? "") : field.value;
  }
}

document.addEventListener("input", (event) => {
  showFilled(event);
  if (event.target === replyField()) sessionStorage.setItem(DRAFT, replyField()?.value ?? "");
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

const lastSaid = () => [...document.querySelectorAll(".said .message")].at(-1);
let last = lastSaid()?.id;

/** Reads out what somebody has written just now. */
function tellNews() {
  const message = lastSaid();
  if (message === undefined || message.id === last) return;
  last = message.id;
  const news = document.getElementById("news");
  if (news !== null && message.classList.contains("in"))
    news.textContent = `New message. ${message.querySelector(".body")?.textContent ?? ""}`;
}

document.addEventListener("swapped", (event) => {
  const part = event.target;
  if (!(part instanceof HTMLElement)) return;
  improve(part);
  if (part.id === "thread") tellNews();
  if (part.id !== "reply") return;
  const field = replyField();
  const sent = sending;
  sending = null;
  if (field === null || sent === null) return;
  if (field.value === "") {
    field.value = typedSince(sent);
    sessionStorage.setItem(DRAFT, field.value);
    document.querySelector(".messages")?.scrollTo({ top: 0 }); // the newest: it is laid out from the bottom
  }
  field.focus();
});

improve(document);
restoreDraft();
