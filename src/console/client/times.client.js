// Enters and shows dates and times in the reader's time zone.
const zone = Intl.DateTimeFormat().resolvedOptions().timeZone;
/** True for zones named UTC; other zones match UTC only in winter. */
const isUtc = /^(?:UTC|Etc\/)/.test(zone) && new Date().getTimezoneOffset() === 0;
const zoneName = zone.replaceAll("_", " ");
const utcFormat = new Intl.DateTimeFormat("en-GB", { dateStyle: "medium", timeStyle: "short", timeZone: "UTC" });

/** Hides the UTC time for readers in UTC.
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

/** The UTC value of a local date and time.
 * @type {(local: string) => string} */
const toUtc = (local) => (local === "" ? "" : new Date(local).toISOString().slice(0, 16));

/** @type {(utc: string) => string} */
function toLocal(utc) {
  if (utc === "") return "";
  const at = new Date(`${utc}Z`);
  return new Date(at.getTime() - at.getTimezoneOffset() * 60_000).toISOString().slice(0, 16);
}

/** Submits the field's time in UTC, and shows it.
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

/** Converts a field to the reader's time zone; a hidden field with its name submits UTC.
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
