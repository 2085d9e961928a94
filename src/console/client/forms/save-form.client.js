// Saves a form from its page: leads on where it was accepted, and shows what is wrong where it was not.
import { showFirstFault } from "./faults.client.js";
import { parsePage } from "../pages/requests.client.js";
import { explain, sendUntilAnswered } from "./save.client.js";
import { showPage } from "../show-page.client.js";
import { ignoreEarlierPages, swapElement, swapParts } from "../renew.client.js";

/** Forms for the same address, which a page may have several of.
 * @type {(page: Document, address: string | null) => HTMLFormElement[]} */
const formsTo = (page, address) =>
  [...page.querySelectorAll("form")].filter((form) => form.getAttribute("action") === address);

/** @type {(form: HTMLFormElement) => boolean} */
const saysFault = (form) => form.querySelector('[aria-invalid="true"], .fault:not(:empty), .banner') !== null;

/** Puts the form of the answer, which has what was typed and its faults, in place of this one. Where the page around it says why it was
 * refused, shows that page: what is to be confirmed may have changed.
 * @type {(form: HTMLFormElement, html: string) => void} */
function showRefused(form, html) {
  const address = form.getAttribute("action");
  const answered = formsTo(parsePage(html), address)[formsTo(document, address).indexOf(form)];
  if (answered === undefined || !saysFault(answered)) return showPage(html);
  endPending(form);
  swapElement(form, answered);
  showFirstFault(form);
}

/** What was done is said in a toast of the page that answers. The forms of this page get its token: what they do from now on is
 * not what was just done.
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

/** Leads to another page; never settles, as this one is left.
 * @type {(url: URL) => Promise<never>} */
function leaveFor(url) {
  const isHere = url.pathname === location.pathname && url.search === location.search;
  if (isHere && url.hash !== "") {
    history.replaceState(null, "", url); // else the browser would only scroll
    location.reload();
  } else location.assign(url);
  return new Promise(() => {});
}

/** Leads to a page, or has this one show in its parts what it is by now.
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
  ignoreEarlierPages(); // those that were asked for while it was on its way, too
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

/** Lets a form be sent again.
 * @type {(form: HTMLFormElement) => void} */
export function endPending(form) {
  delete form.dataset["sent"];
  form.ariaBusy = null;
  for (const button of form.querySelectorAll("[data-pending]")) {
    button.removeAttribute("data-pending");
    button.removeAttribute("aria-disabled");
  }
}

/** Sends a form, once at a time, and follows the answer. Parts with `ids` are swapped, also where it is refused: they hold what was
 * typed.
 * @type {(form: HTMLFormElement, submitter: HTMLElement | null, ids: string[]) => Promise<void>} */
export async function saveForm(form, submitter, ids) {
  const fields = new FormData(form, submitter);
  // A form that stays as it is can be changed while it waits; one whose parts are swapped may serve for something else by then.
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
