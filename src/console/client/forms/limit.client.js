// Counts remaining characters near a text's limit, and excess characters beyond it. Nothing is truncated.
import { make } from "../elements.client.js";

const NEAR = 0.9;

/** @type {(field: HTMLTextAreaElement) => HTMLElement} */
function ensureNotice(field) {
  const known = field.parentElement?.querySelector(".room-left");
  if (known instanceof HTMLElement) return known;
  const notice = make("p", { class: "room-left help", "aria-live": "polite" });
  field.after(notice);
  return notice;
}

/** @type {(count: number) => string} */
const formatCharacters = (count) => (count === 1 ? "1 character" : `${count.toLocaleString("en")} characters`);

/** @type {(field: HTMLTextAreaElement) => void} */
function showRoom(field) {
  const limit = Number(field.dataset["limit"]);
  const left = limit - [...field.value].length;
  const notice = ensureNotice(field);
  const fits = left > limit * (1 - NEAR) ? "" : `${formatCharacters(left)} left`;
  notice.textContent = left < 0 ? `${formatCharacters(-left)} over the limit.` : fits;
  notice.classList.toggle("fault", left < 0);
}

/** @type {(root: ParentNode) => void} */
function watchIn(root) {
  for (const field of root.querySelectorAll("textarea[data-limit]"))
    if (field instanceof HTMLTextAreaElement) showRoom(field);
}

document.addEventListener("input", ({ target }) => {
  if (target instanceof HTMLTextAreaElement && target.dataset["limit"] !== undefined) showRoom(target);
});
document.addEventListener("swapped", ({ target }) => {
  if (target instanceof Element) watchIn(target);
});
watchIn(document);
