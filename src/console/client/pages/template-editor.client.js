import { encodeFields, parsePage, fetchSignedIn } from "../requests.client.js";
import { swapParts } from "../renew.client.js";

const PARTS = ["editor", "preview"];

const PLAIN = new Set(["connection_id", "language", "new_button"]);

/** @type {(form: HTMLFormElement, button: HTMLButtonElement) => Promise<void>} */
async function change(form, button) {
  const request = () => ({ method: "POST", body: encodeFields(new FormData(form, button)) });
  const response = await fetchSignedIn(button.formAction, request);
  delete form.dataset["sent"]; // `swapParts` skips forms with this mark
  if (response !== null) swapParts(parsePage(await response.text()), PARTS, true);
}

document.addEventListener("submit", (event) => {
  const { target: form, submitter: button } = event;
  if (!(form instanceof HTMLFormElement) || !(button instanceof HTMLButtonElement) || button.name !== "change") return;
  event.preventDefault();
  const uploading = form.querySelector("input[type=file]:invalid");
  if (uploading instanceof HTMLInputElement) {
    uploading.reportValidity();
    delete form.dataset["sent"];
    return;
  }
  void change(form, button).finally(() => delete form.dataset["sent"]);
});

document.addEventListener("change", ({ target }) => {
  if (!(target instanceof HTMLInputElement || target instanceof HTMLSelectElement)) return;
  const isChoice = target instanceof HTMLSelectElement || target.type === "radio" || target.type === "checkbox";
  const button = target.form?.querySelector("button[data-preview]");
  if (!isChoice || PLAIN.has(target.name) || target.dataset["stored"] !== undefined) return;
  if (button instanceof HTMLButtonElement) target.form?.requestSubmit(button);
});
