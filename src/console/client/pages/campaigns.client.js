import { encodeFields, parsePage } from "./requests.client.js";
import { swapParts } from "../renew.client.js";
import { fetchSignedIn } from "./sign-in.client.js";

/** Shows the text and variables of the selected template. The rest of the form stays.
 * @type {(form: HTMLFormElement, button: HTMLButtonElement) => Promise<void>} */
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
