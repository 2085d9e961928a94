// Runs on every page: replaces parts of the page, submits filters while the user types, polls, copies texts
// and closes menus.
import { listenForAlerts } from "./inbox/alerts.client.js";
import { forEachPart } from "./elements.client.js";
import { showFirstFault } from "./show-page.client.js";
import { listenForKeys } from "./keyboard/keys.client.js";
import { isFilledIn, isLive } from "./live.client.js";
import { sendEarlierReplies } from "./inbox/outbox.client.js";
import { localiseTimes } from "./local-times.client.js";
import { idsToSwap, refreshParts, rememberParts, showFiltered, untilAnswered } from "./renew.client.js";
import { endPending, saveForm } from "./forms/save-form.client.js";

/** True if a script submits the form instead of the browser. If the pressed button has an address of its own,
 * the browser submits it.
 * @type {(form: HTMLFormElement, submitter: HTMLElement | null) => boolean} */
const isSaved = (form, submitter) =>
  idsToSwap(form).length > 0 || (form.dataset["saves"] !== undefined && !submitter?.hasAttribute("formaction"));

document.addEventListener("submit", (event) => {
  const { target: form, submitter } = event;
  if (!(form instanceof HTMLFormElement)) return;
  const ids = idsToSwap(form);
  if (form.method === "post") {
    const isSent = form.dataset["sent"] !== undefined;
    if (isSent || isSaved(form, submitter)) event.preventDefault();
    if (isSent) return;
    if (isSaved(form, submitter)) void saveForm(form, submitter, ids);
    else form.dataset["sent"] = "";
  } else if (ids.length > 0) {
    event.preventDefault();
    const url = new URL(form.action);
    for (const [name, value] of new FormData(form, submitter))
      if (value !== "" && typeof value === "string") url.searchParams.set(name, value);
    void showFiltered(url, ids);
  }
});

window.addEventListener("pageshow", () => {
  for (const form of document.querySelectorAll("form")) endPending(form);
});

let typing = 0;
document.addEventListener("input", (event) => {
  const form = event.target instanceof Element ? event.target.closest("form") : null;
  if (form === null || form.dataset["live"] === undefined) return;
  clearTimeout(typing);
  typing = setTimeout(() => form.requestSubmit(), 250);
});

/**
 * Even while the WebSocket reports changes, live parts are polled once a minute, because texts such as "5 min
 * ago" change without an event.
 */
const LIVE_POLL_MS = 60_000;

/** Refreshes an element with `data-poll="5"`, and the parts in its `data-swap`, every 5 seconds while the page
 * is visible.
 * @type {(element: HTMLElement, polledAt?: number) => void} */
function poll(element, polledAt = Date.now()) {
  const { id } = element;
  const ms = Number(element.dataset["poll"]) * 1000;
  setTimeout(async () => {
    const isUpdated = isLive() && element.dataset["changesWith"] !== undefined && Date.now() - polledAt < LIVE_POLL_MS;
    const isDue = !document.hidden && !isUpdated;
    if (isDue)
      await untilAnswered()
        .then(() => refreshParts(location.href, [id, ...idsToSwap(element)], isFilledIn))
        .catch(() => {}); // the browser is offline
    const current = document.getElementById(id);
    if (current?.dataset["poll"] !== undefined) poll(current, isDue ? Date.now() : polledAt);
    else polled.delete(id);
  }, ms);
}

const polled = new Set();

/** @type {(root: ParentNode) => void} */
function pollIn(root) {
  for (const element of root.querySelectorAll("[data-poll]")) {
    if (!(element instanceof HTMLElement) || polled.has(element.id)) continue;
    polled.add(element.id);
    rememberParts([element.id, ...idsToSwap(element)]);
    poll(element);
  }
}

const icon = document.querySelector('link[rel="icon"]');
const iconPath = icon?.getAttribute("href") ?? "";

function showUnread() {
  const count = document.getElementById("unread")?.dataset["count"] ?? "";
  const title = document.title.replace(/^\(\d+\+?\) /, "");
  document.title = count === "" ? title : `(${count}) ${title}`;
  icon?.setAttribute("href", count === "" ? iconPath : `${iconPath}?unread`);
}

document.addEventListener("swapped", ({ target }) => {
  if (target instanceof Element && target.id === "unread") showUnread();
});

const opensDialogs = Object.hasOwn(HTMLButtonElement.prototype, "commandForElement");

/** @type {(button: HTMLButtonElement, field: HTMLInputElement | HTMLTextAreaElement) => Promise<void>} */
async function copy(button, field) {
  field.select();
  await navigator.clipboard.writeText(field.value);
  const label = button.firstChild;
  if (label === null) return;
  const before = label.textContent;
  label.textContent = "Copied";
  setTimeout(() => (label.textContent = before), 2000);
}

document.addEventListener("click", (event) => {
  const target = event.target instanceof Element ? event.target : null;
  const link = target?.closest("a[data-swap]");
  if (link instanceof HTMLAnchorElement && !(event.ctrlKey || event.metaKey || event.shiftKey)) {
    event.preventDefault();
    void showFiltered(new URL(link.href), idsToSwap(link));
  }
  target?.closest("[data-dismiss]")?.parentElement?.remove();
  for (const menu of document.querySelectorAll("details.menu[open]"))
    if (target === null || !menu.contains(target)) menu.removeAttribute("open");
  const button = target?.closest("button");
  if (!(button instanceof HTMLButtonElement)) return;
  const field = document.getElementById(button.dataset["copy"] ?? "");
  if (field instanceof HTMLInputElement || field instanceof HTMLTextAreaElement) void copy(button, field);
  // For browsers that do not support `commandfor`: opens the dialog that the button names.
  const dialog = document.getElementById(button.getAttribute("commandfor") ?? "");
  if (dialog instanceof HTMLDialogElement && !opensDialogs) {
    if (button.getAttribute("command") === "close") dialog.close();
    else dialog.showModal();
  }
});

document.addEventListener("keydown", (event) => {
  if (event.key !== "Escape") return;
  for (const menu of document.querySelectorAll("details.menu[open]")) {
    menu.removeAttribute("open");
    menu.querySelector("summary")?.focus();
  }
});

document.documentElement.classList.add("js");
localiseTimes(document);
showUnread();
listenForKeys();
listenForAlerts();
showFirstFault(document);
forEachPart(pollIn);
sendEarlierReplies();
