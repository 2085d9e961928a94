// Moves replies and drafts from a merged conversation to the remaining one.
import { draftKey } from "./inbox/draft-marks.client.js";
import { changeOutbox, outboxOf, readOutbox } from "./inbox/outbox.client.js";

/** @typedef {import("./inbox/draft-marks.client.js").Kind} Kind */

const page = document.querySelector("[data-merged]");
const { merged = "", into = "" } = page instanceof HTMLElement ? page.dataset : {};

/** @type {Kind[]} */
const KINDS = ["reply", "note"];

/**
 * Only surely unsent replies. An unconfirmed reply first retries at its old address, which knows its token; the rest
 * stay rejected until the member edits or resends them.
 */
function moveRefused() {
  const replies = readOutbox(outboxOf(merged));
  const refused = replies.filter(({ refusal }) => refusal);
  if (refused.length === 0) return;
  const moved = refused.map((reply) => ({ ...reply, action: reply.action.replace(merged, into) }));
  changeOutbox(outboxOf(merged), () => replies.filter(({ refusal }) => !refusal));
  changeOutbox(outboxOf(into), (others) => [...others, ...moved]);
}

/** Appends a draft to an existing one.
 * @type {(kind: Kind) => void} */
function moveDraft(kind) {
  const texts = [draftKey(kind, into), draftKey(kind, merged)].flatMap((key) => localStorage.getItem(key) ?? []);
  localStorage.removeItem(draftKey(kind, merged));
  if (texts.length > 0) localStorage.setItem(draftKey(kind, into), texts.join("\n"));
}

if (into !== "") {
  moveRefused();
  document.addEventListener("outbox-changed", moveRefused);
  for (const kind of KINDS) moveDraft(kind);
}
