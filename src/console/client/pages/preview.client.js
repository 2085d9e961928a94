// Updates a form's preview while typing. Without scripts, a button does.
import { encodeFields, isSignedOut, parsePage, UNSEEN } from "./requests.client.js";
import { swapElement, swapParts } from "../renew.client.js";
import { offerSignIn } from "./sign-in.client.js";

/** @type {(root: Element) => string} */
const namesIn = (root) => [...root.querySelectorAll("input")].map(({ name }) => name).join();

/** Updates fields that depend on a text when the text changes.
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
  if (response.redirected) return; // an error page
  const page = parsePage(await response.text());
  // Newer changes have their own request.
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
