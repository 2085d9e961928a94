import { encodeFields, isSignedOut, parsePage, UNSEEN, offerSignIn, fetchSignedIn } from "../requests.client.js";
import { swapElement, swapParts } from "../renew.client.js";

/** @type {(root: Element) => string} */
const namesIn = (root) => [...root.querySelectorAll("input")].map(({ name }) => name).join();

/** If the variables in the text have changed, replaces the fields for their values.
 * @type {(fields: Element) => void} */
function followText(fields) {
  const before = document.getElementById(fields.id);
  if (before === null || !(fields instanceof HTMLElement) || namesIn(before) === namesIn(fields)) return;
  swapElement(before, fields);
}

/** @type {(button: HTMLButtonElement, form: HTMLFormElement) => Promise<void>} */
async function showPreview(button, form) {
  const body = encodeFields(new FormData(form));
  const response = await fetch(button.formAction, { method: "POST", body, headers: UNSEEN });
  if (isSignedOut(response)) return offerSignIn();
  if (response.redirected) return; // a redirect means that the response is an error page
  const page = parsePage(await response.text());
  // If the user has changed the form during the request, the response is out of date. A newer request then
  // updates the page.
  const isCurrent = body.toString() === encodeFields(new FormData(form)).toString();
  if (!isCurrent) return;
  for (const fields of page.querySelectorAll("[data-follows]")) followText(fields);
  swapParts(page, ["preview"], true);
}

let typing = 0;
document.addEventListener("input", ({ target }) => {
  const form = target instanceof Element ? target.closest("form") : null;
  const button = form?.querySelector("button[data-preview]");
  if (form === null || !(button instanceof HTMLButtonElement)) return;
  clearTimeout(typing);
  typing = setTimeout(() => void showPreview(button, form), 250);
});

/** @type {(form: HTMLFormElement, button: HTMLButtonElement) => Promise<void>} */
async function showTemplate(form, button) {
  const request = () => ({ method: "POST", body: encodeFields(new FormData(form)) });
  const response = await fetchSignedIn(button.formAction, request);
  if (response === null) return;
  swapParts(parsePage(await response.text()), ["template-part"], true);
}

document.addEventListener("change", (event) => {
  const field = event.target;
  const button = document.getElementById("show-template");
  if (!(field instanceof HTMLSelectElement) || field.name !== "template_id" || field.form === null) return;
  if (button instanceof HTMLButtonElement) void showTemplate(field.form, button);
});
