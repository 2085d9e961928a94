// Takes and shows days and times in the reader's own time zone.
const zone = Intl.DateTimeFormat().resolvedOptions().timeZone;
/** True for a zone that is UTC by name; others are at UTC only in winter. */
const isUtc = /^(?:UTC|Etc\/)/.test(zone) && new Date().getTimezoneOffset() === 0;
const zoneName = zone.replaceAll("_", " ");
const utcFormat = new Intl.DateTimeFormat("en-GB", { dateStyle: "medium", timeStyle: "short", timeZone: "UTC" });

/** For readers whose own time is UTC, the time in UTC beside it would be the same twice.
 * @type {(root: ParentNode) => void} */
function nameZone(root) {
  for (const place of root.querySelectorAll("[data-zone]")) {
    if (isUtc) place.closest(".in-utc")?.replaceChildren("UTC");
    else place.textContent = zoneName;
  }
  for (const place of root.querySelectorAll("[data-unless-zone]")) {
    const timeZone = place.getAttribute("data-unless-zone") ?? zone;
    if (new Intl.DateTimeFormat([], { timeZone }).resolvedOptions().timeZone === zone) place.remove();
  }
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

/** Sends in UTC what the field holds, and says which time that is.
 * @type {(field: HTMLInputElement, utcField: HTMLInputElement) => void} */
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

/** Lets a field be filled in in the reader's time zone; a hidden field of its name sends UTC.
 * @type {(field: HTMLInputElement) => void} */
function localiseField(field) {
  const utcField = document.createElement("input");
  utcField.type = "hidden";
  utcField.name = field.name;
  utcField.value = field.value;
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

document.addEventListener("swapped", ({ target }) => {
  if (!(target instanceof Element)) return;
  nameZone(target);
  localiseFields(target);
});

nameZone(document);
localiseFields(document);
