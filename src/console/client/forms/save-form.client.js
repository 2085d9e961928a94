// Submits a form by script: follows the redirect, or shows the faults.
import { showFirstFault } from "./faults.client.js";
import { parsePage } from "../pages/requests.client.js";
import { explain, sendUntilAnswered } from "./save.client.js";
import { showPage } from "../show-page.client.js";
import { ignoreEarlierPages, swapElement, swapParts } from "../renew.client.js";

/** Forms with the same address; a page may have several.
 * @type {(page: Document, address: string | null) => HTMLFormElement[]} */
const formsTo = (page, address) =>
  [...page.querySelectorAll("form")].filter((form) => form.getAttribute("action") === address);

/** @type {(form: HTMLFormElement) => boolean} */
const saysFault = (form) => form.querySelector('[aria-invalid="true"], .fault:not(:empty), .banner') !== null;

/**
 * Replaces this form with the response's form, which contains the input and its faults. If the response's page
 * reports the error elsewhere, replaces the page.
 * @type {(form: HTMLFormElement, html: string) => void} */
function showRefused(form, html) {
  const address = form.getAttribute("action");
  const answered = formsTo(parsePage(html), address)[formsTo(document, address).indexOf(form)];
  if (answered === undefined || !saysFault(answered)) return showPage(html);
  endPending(form);
  swapElement(form, answered);
  showFirstFault(form);
}

/**
 * Shows the new page's success toast. The forms receive the new token, so that further submissions count as new
 * actions.
 * @type {(form: HTMLFormElement, html: string, ids: string[]) => void} */
function swapAnswer(form, html, ids) {
  endPending(form);
  form.closest("dialog")?.close();
  const page = parsePage(html);
  swapParts(page, ids, true);
  document.getElementById("toasts")?.append(...page.querySelectorAll("#toasts > .banner"));
  const token = page.querySelector('input[name="once"]')?.getAttribute("value");
  if (!token) return;
  for (const field of document.querySelectorAll('input[name="once"]')) field.setAttribute("value", token);
}

/** Navigates to another page. Never settles.
 * @type {(url: URL) => Promise<never>} */
function leaveFor(url) {
  const isHere = url.pathname === location.pathname && url.search === location.search;
  if (isHere && url.hash !== "") {
    history.replaceState(null, "", url); // otherwise the browser would only scroll
    location.reload();
  } else location.assign(url);
  return new Promise(() => {});
}

/** Navigates to a page, or refreshes the parts of this page.
 * @type {(form: HTMLFormElement, to: string, ids: string[]) => Promise<void>} */
async function follow(form, to, ids) {
  const url = new URL(to, location.href);
  if (ids.length === 0 || url.pathname !== location.pathname) return leaveFor(url);
  const response = await fetch(url).catch(() => null);
  if (response?.ok === true) swapAnswer(form, await response.text(), ids);
  else await leaveFor(url);
}

/** @type {(form: HTMLFormElement, read: () => FormData, ids: string[]) => Promise<void>} */
async function sendAndFollow(form, read, ids) {
  ignoreEarlierPages();
  const answer = await sendUntilAnswered(form, read);
  ignoreEarlierPages(); // includes parts requested during the submission
  if (answer === null) return explain(form, "You're signed out, so this isn't saved yet. Save again to sign in.");
  const { response, text } = answer;
  if (response.headers.get("Content-Type")?.includes("json") === true) {
    const { redirect, error } = JSON.parse(text);
    return typeof redirect === "string" ? follow(form, redirect, ids) : explain(form, error.message);
  }
  if (ids.length > 0) swapAnswer(form, text, ids);
  else if (response.ok) showPage(text);
  else showRefused(form, text);
}

/** Re-enables a form.
 * @type {(form: HTMLFormElement) => void} */
export function endPending(form) {
  delete form.dataset["sent"];
  form.ariaBusy = null;
  for (const button of form.querySelectorAll("[data-pending]")) {
    button.removeAttribute("data-pending");
    button.removeAttribute("aria-disabled");
  }
}

/**
 * Submits a form, one submission at a time, and follows the response. Swaps the parts with `ids` even on errors,
 * since they contain the input.
 * @type {(form: HTMLFormElement, submitter: HTMLElement | null, ids: string[]) => Promise<void>} */
export async function saveForm(form, submitter, ids) {
  const fields = new FormData(form, submitter);
  // A form that stays can be edited while it waits. A swapped form may belong to another record by then.
  const read = () => (ids.length === 0 ? new FormData(form, submitter) : fields);
  form.dataset["sent"] = "";
  form.ariaBusy = "true";
  submitter?.setAttribute("data-pending", "");
  submitter?.setAttribute("aria-disabled", "true");
  try {
    await sendAndFollow(form, read, ids);
  } finally {
    endPending(form);
  }
}
