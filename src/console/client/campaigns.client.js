// Campaigns: shows a template as soon as it is chosen, and takes and shows times in the reader's own time zone.
import { encodeFields, parsePage } from "./requests.client.js";

const zone = Intl.DateTimeFormat().resolvedOptions().timeZone;
const utcFormat = new Intl.DateTimeFormat("en-GB", { dateStyle: "medium", timeStyle: "short", timeZone: "UTC" });

/** @type {(root: ParentNode) => void} */
function nameZone(root) {
  for (const place of root.querySelectorAll("[data-zone]")) place.textContent = zone;
}

/** The value of a day-and-time field, in UTC.
 * @type {(local: string) => string} */
const toUtc = (local) => (local === "" ? "" : new Date(local).toISOString().slice(0, 16));

/** @type {(utc: string) => string} */
function toLocal(utc) {
  if (utc === "") return "";
  const at = new Date(`${utc}Z`);
  return new Date(at.getTime() - at.getTimezoneOffset() * 60_000).toISOString().slice(0, 16);
}

/** Lets a field be filled in in the reader's time zone; a hidden field of its name sends UTC.
 * @type {(field: HTMLInputElement) => void} */
function localiseField(field) {
  const utcField = document.createElement("input");
  utcField.type = "hidden";
  utcField.name = field.name;
  utcField.value = field.value;
  const help = document.querySelector(`[data-moment="${field.name}"]`);
  field.removeAttribute("name");
  field.value = toLocal(utcField.value);
  field.after(utcField);
  const update = () => {
    utcField.value = toUtc(field.value);
    const utc = utcField.value === "" ? "" : ` That is ${utcFormat.format(new Date(`${utcField.value}Z`))} UTC.`;
    if (help !== null) help.textContent = `In your time zone, ${zone}.${utc}`;
  };
  field.addEventListener("input", update);
  update();
}

/** Shows the text and the variables of the template just chosen, leaving the rest of the form as it is.
 * @type {(form: HTMLFormElement, button: HTMLButtonElement) => Promise<void>} */
async function showTemplate(form, button) {
  const response = await fetch(button.formAction, { method: "POST", body: encodeFields(new FormData(form)) });
  if (response.redirected) return location.assign(response.url);
  const after = parsePage(await response.text()).getElementById("template-part");
  if (after !== null) document.getElementById("template-part")?.replaceChildren(...after.childNodes);
}

document.addEventListener("change", (event) => {
  const field = event.target;
  const button = document.getElementById("show-template");
  if (!(field instanceof HTMLSelectElement) || field.name !== "template_id" || field.form === null) return;
  if (button instanceof HTMLButtonElement) void showTemplate(field.form, button);
});

document.addEventListener("swapped", (event) => {
  if (event.target instanceof Element) nameZone(event.target);
});

nameZone(document);
for (const field of document.querySelectorAll("input[type=datetime-local]"))
  if (field instanceof HTMLInputElement) localiseField(field);
