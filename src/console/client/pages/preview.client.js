// Renews the preview in a form as the form is filled in. Without scripts, a button does so.
import { encodeFields, isSignedOut, parsePage, UNSEEN } from "./requests.client.js";
import { swapElement, swapParts } from "../renew.client.js";
import { offerSignIn } from "./sign-in.client.js";

/** @type {(root: Element) => string} */
const namesIn = (root) => [...root.querySelectorAll("input")].map(({ name }) => name).join();

/** Shows fields that depend on what a text holds, once it holds something else.
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
  if (response.redirected) return; // to an error
  const page = parsePage(await response.text());
  // What has changed meanwhile has a request of its own.
  const isCurrent = body.toString() === encodeFields(new FormData(form)).toString();
  if (!isCurrent) return;
  for (const fields of page.querySelectorAll("[data-follows]")) followText(fields);
  swapParts(page, ["preview"], true);
}

/** @type {ReturnType<typeof setTimeout> | undefined} */
let typing;
document.addEventListener("input", ({ target }) => {
  const form = target instanceof Element ? target.closest("form") : null;
  const button = form?.querySelector("button[data-preview]");
  if (form === null || !(button instanceof HTMLButtonElement)) return;
  clearTimeout(typing);
  typing = setTimeout(() => void showPreview(button, form), 250);
});
