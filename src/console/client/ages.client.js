// Times in lists, as how long ago they are. Their title is the time itself.
const [HOUR, DAY] = [60, 24 * 60];

/** @type {(minutes: number) => string} */
function formatSpan(minutes) {
  if (minutes < HOUR) return `${minutes} min`;
  if (minutes < DAY) return `${Math.round(minutes / HOUR)} h`;
  const days = Math.round(minutes / DAY);
  return days === 1 ? "1 day" : `${days} days`;
}

/** `5 min ago`, `in 3 days`; beyond a week the day.
 * @type {(at: Date) => string} */
export function formatAge(at) {
  const minutes = Math.round((Date.now() - at.getTime()) / 60_000);
  if (minutes === 0) return "just now";
  if (Math.abs(minutes) >= 7 * DAY) return at.toLocaleDateString([], { dateStyle: "medium" });
  return minutes > 0 ? `${formatSpan(minutes)} ago` : `in ${formatSpan(-minutes)}`;
}

setInterval(() => {
  for (const time of document.querySelectorAll("time[data-format=age]"))
    if (time instanceof HTMLTimeElement) time.textContent = formatAge(new Date(time.dateTime));
}, 60_000);
