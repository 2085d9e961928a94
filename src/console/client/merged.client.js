// If a conversation was merged into another one, its stored replies and drafts move to that one.
import { draftKey } from "./inbox/draft-marks.client.js";
import { changeOutbox, outboxOf, readOutbox } from "./inbox/outbox.client.js";

/** @typedef {import("./inbox/draft-marks.client.js").Kind} Kind */

const page = document.querySelector("[data-merged]");
const { merged = "", into = "" } = page instanceof HTMLElement ? page.dataset : {};

function moveRefused() {
  const replies = readOutbox(outboxOf(merged));
  const refused = replies.filter(({ refusal }) => refusal);
  if (refused.length === 0) return;
  const moved = refused.map((reply) => ({ ...reply, action: reply.action.replace(merged, into) }));
  changeOutbox(outboxOf(merged), () => replies.filter(({ refusal }) => !refusal));
  changeOutbox(outboxOf(into), (others) => [...others, ...moved]);
}

/** @type {(kind: Kind) => void} */
function moveDraft(kind) {
  const texts = [draftKey(kind, into), draftKey(kind, merged)].flatMap((key) => localStorage.getItem(key) ?? []);
  localStorage.removeItem(draftKey(kind, merged));
  if (texts.length > 0) localStorage.setItem(draftKey(kind, into), texts.join("\n"));
}

if (into !== "") {
  moveRefused();
  document.addEventListener("outbox-changed", moveRefused);
  moveDraft("reply");
  moveDraft("note");
}
