/** The server formats times in this language too. With the browser's language, a page could mix two formats. */
export const LOCALE = "en-GB";

const [HOUR, DAY] = [60, 24 * 60];

/** @type {(minutes: number) => string} */
function formatSpan(minutes) {
  if (minutes < HOUR) return `${minutes} min`;
  if (minutes < DAY) return `${Math.round(minutes / HOUR)} h`;
  const days = Math.round(minutes / DAY);
  return days === 1 ? "1 day" : `${days} days`;
}

/** @type {(at: Date) => string} */
function formatAge(at) {
  const minutes = Math.round((Date.now() - at.getTime()) / 60_000);
  if (minutes === 0) return "just now";
  if (Math.abs(minutes) >= 7 * DAY) return at.toLocaleDateString(LOCALE, { dateStyle: "medium" });
  return minutes > 0 ? `${formatSpan(minutes)} ago` : `in ${formatSpan(-minutes)}`;
}

/** @type {ReadonlyMap<string, Intl.DateTimeFormatOptions>} */
const timeFormats = new Map([
  ["long", { dateStyle: "medium", timeStyle: "short" }],
  ["short", { day: "numeric", month: "short", hour: "2-digit", minute: "2-digit" }],
  ["clock", { hour: "2-digit", minute: "2-digit" }],
]);

/** @type {(root: ParentNode) => void} */
export function localiseTimes(root) {
  for (const time of root.querySelectorAll("time")) {
    const at = new Date(time.dateTime);
    if (time.dataset["format"] === "none") continue;
    if (!time.dateTime.includes("T")) {
      time.textContent = at.toLocaleDateString(LOCALE, { dateStyle: "medium", timeZone: "UTC" }); // a day without a time is the same in all time zones
      continue;
    }
    time.title = time.textContent ?? "";
    const format = time.dataset["format"] ?? "long";
    const local = at.toLocaleString(LOCALE, timeFormats.get(format === "age" ? "long" : format));
    if (format === "age") time.title = local;
    time.textContent = format === "age" ? formatAge(at) : local;
  }
}

setInterval(() => {
  for (const time of document.querySelectorAll("time[data-format=age]"))
    if (time instanceof HTMLTimeElement) time.textContent = formatAge(new Date(time.dateTime));
}, 60_000);
