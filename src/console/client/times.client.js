import { forEachPart, make } from "./elements.client.js";
import { LOCALE } from "./local-times.client.js";

const zone = Intl.DateTimeFormat().resolvedOptions().timeZone;
/** In winter, London has no offset either, so the name of the zone is checked too. */
const isUtc = /^(?:UTC|Etc\/)/.test(zone) && new Date().getTimezoneOffset() === 0;
const zoneName = zone.replaceAll("_", " ");
const utcFormat = new Intl.DateTimeFormat(LOCALE, { dateStyle: "medium", timeStyle: "short", timeZone: "UTC" });

/** @type {(root: ParentNode) => void} */
function nameZone(root) {
  for (const name of root.querySelectorAll("[data-zone]")) {
    if (isUtc) name.closest(".in-utc")?.replaceChildren("UTC");
    else name.textContent = zoneName;
  }
  for (const hint of root.querySelectorAll("[data-unless-zone]")) {
    const timeZone = hint.getAttribute("data-unless-zone") ?? zone;
    if (new Intl.DateTimeFormat([], { timeZone }).resolvedOptions().timeZone === zone) hint.remove();
  }
}

/** @type {(local: string) => string} */
const toUtc = (local) => (local === "" ? "" : new Date(local).toISOString().slice(0, 16));

/** @type {(utc: string) => string} */
function toLocal(utc) {
  if (utc === "") return "";
  const at = new Date(`${utc}Z`);
  return new Date(at.getTime() - at.getTimezoneOffset() * 60_000).toISOString().slice(0, 16);
}

/** @type {(field: HTMLInputElement, utcField: HTMLInputElement) => void} */
function showUtc(field, utcField) {
  utcField.value = toUtc(field.value);
  const utc = utcField.value === "" ? "" : ` That is ${utcFormat.format(new Date(`${utcField.value}Z`))} UTC.`;
  const help = document.querySelector(`[data-moment="${utcField.name}"]`);
  if (help !== null) help.textContent = isUtc ? "In UTC." : `In your time zone, ${zoneName}.${utc}`;
}

document.addEventListener("input", ({ target }) => {
  if (!(target instanceof HTMLInputElement) || target.type !== "datetime-local") return;
  const utcField = target.nextElementSibling;
  if (utcField instanceof HTMLInputElement && utcField.type === "hidden") showUtc(target, utcField);
});

/** Lets the user enter the time in their own time zone. A hidden field submits the same time in UTC.
 * @type {(field: HTMLInputElement) => void} */
function localiseField(field) {
  const utcField = make("input", { type: "hidden", name: field.name, value: field.value });
  field.removeAttribute("name");
  field.value = toLocal(utcField.value);
  field.after(utcField);
  showUtc(field, utcField);
}

/** @type {(root: ParentNode) => void} */
function localiseFields(root) {
  for (const field of root.querySelectorAll("input[type=datetime-local][name]"))
    if (field instanceof HTMLInputElement) localiseField(field);
}

forEachPart(nameZone);
forEachPart(localiseFields);
