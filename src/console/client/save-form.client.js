// Saves a form from its page: leads on where it was accepted, and shows what is wrong where it was not.
import { showFirstFault } from "./faults.client.js";
import { parsePage } from "./requests.client.js";
import { explain, sendUntilAnswered } from "./save.client.js";
import { swapParts } from "./swap.client.js";

/** Puts the form of the answer, which has what was typed and its faults, in place of this one.
 * @type {(form: HTMLFormElement, html: string) => void} */
function showRefused(form, html) {
  const { id } = form;
  if (parsePage(html).getElementById(id) === null)
    return void explain(form, "This is not saved. Load the page anew to see why.");
  swapParts(html, [id], true);
  const answered = document.getElementById(id);
  if (answered !== null) showFirstFault(answered);
}

/** Sends a form with data-saves, and follows the answer.
 * @type {(form: HTMLFormElement, submitter: HTMLElement | null) => Promise<void>} */
export async function saveForm(form, submitter) {
  // Read anew each time: it can be changed while it waits.
  const read = () => new FormData(form, submitter);
  const response = await sendUntilAnswered(form, submitter, read, { "X-Form": "save" });
  if (response === null)
    return void explain(form, "You are signed out, and this is not saved yet. Save again to sign in.");
  if (response.headers.get("Content-Type")?.includes("json") !== true) return showRefused(form, await response.text());
  const answer = await response.json();
  if (typeof answer.redirect === "string") location.assign(answer.redirect);
  else void explain(form, answer.error.message);
}
