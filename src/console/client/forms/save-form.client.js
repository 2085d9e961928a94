// Submits a form and retries until the server responds, so that no input is lost if the connection breaks, the
// server is busy or the session expires. If the server receives a form twice, it recognizes the form's token
// and saves once.
import { make, makeButton, showToast } from "../elements.client.js";
import { csrfToken, encodeFields, isTemporaryFailure, wait, fetchSignedIn, parsePage } from "../requests.client.js";
import { showFirstFault, showPage } from "../show-page.client.js";
import { ignoreEarlierPages, swapElement, swapParts } from "../renew.client.js";

const RETRY_MS = 3000;

/** @type {WeakMap<HTMLFormElement, { text: string, remove: () => void }>} */
const notices = new WeakMap();

/** @type {(form: HTMLFormElement) => void} */
function removeNotice(form) {
  notices.get(form)?.remove();
  notices.delete(form);
}

/** True if notices can be shown inside the form: it has fields, or it is in a dialog, which would cover a toast.
 * @type {(form: HTMLFormElement) => boolean} */
const hasRoom = (form) =>
  form.closest("dialog") !== null || form.querySelector("input:not([type=hidden]), select, textarea") !== null;

/** @type {(form: HTMLFormElement, text: string, label: string | undefined, act: () => void) => () => void} */
function showNotice(form, text, label, act) {
  const notice = make("div", { class: "banner warning", role: "status" }, text);
  if (label !== undefined) notice.append(" ", makeButton("plain", label, act));
  form.append(notice);
  return () => notice.remove();
}

/** @type {(form: HTMLFormElement, text: string, label?: string) => Promise<void>} */
async function explain(form, text, label) {
  if (label === undefined && notices.get(form)?.text === text) return;
  removeNotice(form);
  await new Promise((resolve) => {
    const act = () => resolve(undefined);
    const remove = hasRoom(form)
      ? showNotice(form, text, label, act)
      : showToast(text, { kind: "warning", ...(label !== undefined && { act: { label, run: act }, isFixed: true }) });
    notices.set(form, { text, remove });
    if (label === undefined) act();
  });
}

const untilOnline = () =>
  Promise.race([
    new Promise((resolve) => window.addEventListener("online", resolve, { once: true })),
    wait(RETRY_MS), // browsers do not always report that they are online again
  ]);

/** Sends the form until there is a response, and reads its fields again for each attempt. Returns null if the
 * user closes the sign-in dialog.
 * @type {(form: HTMLFormElement, read: () => FormData) => Promise<{ response: Response, text: string } | null>} */
async function sendUntilAnswered(form, read) {
  const address = form.getAttribute("action") ?? ""; // not `form.action`, because a field may have the name `action`
  const request = () => {
    const fields = read();
    fields.set("csrf_token", csrfToken());
    const headers = { Accept: "application/json, text/html", "X-Form": "save" };
    return { method: "POST", body: encodeFields(fields), headers };
  };
  const send = async () => {
    const response = await fetchSignedIn(address, request);
    return response === null ? null : { response, text: await response.text() };
  };
  for (;;) {
    const answer = await send().catch(() => undefined);
    if (answer === null) return null;
    if (answer === undefined) {
      await explain(form, "You're offline. Your changes are kept and sent when you're back online.");
      await untilOnline();
    } else if (isTemporaryFailure(answer.response)) {
      await explain(form, "Couldn't save. Your changes are kept.", "Try again");
    } else {
      removeNotice(form);
      return answer;
    }
  }
}

/** @type {(page: Document, address: string | null) => HTMLFormElement[]} */
const formsTo = (page, address) =>
  [...page.querySelectorAll("form")].filter((form) => form.getAttribute("action") === address);

/** @type {(form: HTMLFormElement) => boolean} */
const hasFault = (form) => form.querySelector('[aria-invalid="true"], .fault:not(:empty), .banner') !== null;

/** @type {(form: HTMLFormElement, html: string) => void} */
function showRefused(form, html) {
  const address = form.getAttribute("action");
  const answered = formsTo(parsePage(html), address)[formsTo(document, address).indexOf(form)];
  if (answered === undefined || !hasFault(answered)) return showPage(html);
  endPending(form);
  swapElement(form, answered);
  showFirstFault(form);
}

/** Replaces parts of the page and gives all its forms new tokens. With its old token, the next submission of a
 * form would be ignored as a repeat.
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

/** @type {(url: URL) => Promise<never>} */
function leaveFor(url) {
  const isHere = url.pathname === location.pathname && url.search === location.search;
  if (isHere && url.hash !== "") {
    history.replaceState(null, "", url); // the browser would only scroll to the anchor and not load the page
    location.reload();
  } else location.assign(url);
  return new Promise(() => {});
}

/** @type {(form: HTMLFormElement, to: string, ids: string[]) => Promise<void>} */
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
  ignoreEarlierPages(); // ignores pages that were requested before the server handled the form
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

/** @type {(form: HTMLFormElement) => void} */
export function endPending(form) {
  delete form.dataset["sent"];
  form.ariaBusy = null;
  for (const button of form.querySelectorAll("[data-pending]")) {
    button.removeAttribute("data-pending");
    button.removeAttribute("aria-disabled");
  }
}

/** @type {(form: HTMLFormElement, submitter: HTMLElement | null, ids: string[]) => Promise<void>} */
export async function saveForm(form, submitter, ids) {
  const fields = new FormData(form, submitter);
  // If the form stays on the page, its fields are read for each retry, because the user can still edit them.
  // Otherwise they are read once, because an update may give the form to another record.
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
