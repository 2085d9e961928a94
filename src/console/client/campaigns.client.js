// Campaigns where scripts run: templates shown as they are chosen, and times in the reader's own zone.

const zone = Intl.DateTimeFormat().resolvedOptions().timeZone;
const inUtc = new Intl.DateTimeFormat("en-GB", { dateStyle: "medium", timeStyle: "short", timeZone: "UTC" });

/** @type {(root: ParentNode) => void} */
function nameZone(root) {
  for (const place of root.querySelectorAll("[data-zone]")) place.textContent = zone;
}

/** What a field of day and time holds, as such a field would have it in UTC.
 * @type {(local: string) => string} */
const toUtc = (local) => (local === "" ? "" : new Date(local).toISOString().slice(0, 16));

/** @type {(utc: string) => string} */
function toLocal(utc) {
  if (utc === "") return "";
  const at = new Date(`${utc}Z`);
  return new Date(at.getTime() - at.getTimezoneOffset() * 60_000).toISOString().slice(0, 16);
}

/** Has a field filled in in the reader's time; what is sent in its name is UTC.
 * @type {(field: HTMLInputElement) => void} */
function localise(field) {
  const sent = document.createElement("input");
  sent.type = "hidden";
  sent.name = field.name;
  sent.value = field.value;
  const help = document.querySelector(`[data-moment="${field.name}"]`);
  field.removeAttribute("name");
  field.value = toLocal(sent.value);
  field.after(sent);
  const tell = () => {
    sent.value = toUtc(field.value);
    const utc = sent.value === "" ? "" : ` That is ${inUtc.format(new Date(`${sent.value}Z`))} UTC.`;
    if (help !== null) help.textContent = `In your time zone, ${zone}.${utc}`;
  };
  field.addEventListener("input", tell);
  tell();
}

/** Shows the text and the variables of the template just chosen, leaving the rest of the form as it is.
 * @type {(form: HTMLFormElement, button: HTMLButtonElement) => Promise<void>} */
async function showTemplate(form, button) {
  const body = new URLSearchParams();
  for (const [name, value] of new FormData(form)) if (typeof value === "string") body.append(name, value);
  const response = await fetch(button.formAction, { method: "POST", body });
  if (response.redirected) return location.assign(response.url);
  const page = new DOMParser().parseFromString(await response.text(), "text/html");
  const [before, after] = [document.getElementById("template-part"), page.getElementById("template-part")];
  if (after !== null) before?.replaceChildren(...after.childNodes);
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
  if (field instanceof HTMLInputElement) localise(field);
