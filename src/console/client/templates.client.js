// Updates the preview of a template as it is typed. Without scripts, a button does so.
import { encodeFields, parsePage } from "./requests.client.js";

const button = document.querySelector("button[data-preview]");
const form = button instanceof HTMLButtonElement ? button.form : null;

/** @type {(form: HTMLFormElement, url: string) => Promise<void>} */
async function showPreview(typedIn, url) {
  const body = encodeFields(new FormData(typedIn));
  const response = await fetch(url, { method: "POST", body });
  const preview = parsePage(await response.text()).getElementById("preview");
  // A text that has changed meanwhile has a request of its own.
  if (preview !== null && body.get("body") === new FormData(typedIn).get("body"))
    document.getElementById("preview")?.replaceWith(preview);
}

if (button instanceof HTMLButtonElement && form !== null) {
  const url = button.formAction;
  /** @type {ReturnType<typeof setTimeout> | undefined} */
  let typing;
  form.addEventListener("input", () => {
    clearTimeout(typing);
    typing = setTimeout(() => void showPreview(form, url), 250);
  });
}
