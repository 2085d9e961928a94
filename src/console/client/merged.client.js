// Moves replies and drafts that wait in this browser from a conversation to the one that it has become part of.
import { draftKey } from "./inbox/draft-marks.client.js";
import { changeOutbox, outboxOf, readOutbox } from "./inbox/outbox.client.js";

/** @typedef {import("./inbox/draft-marks.client.js").Kind} Kind */

const page = document.querySelector("[data-merged]");
const { merged = "", into = "" } = page instanceof HTMLElement ? page.dataset : {};

/** @type {Kind[]} */
const KINDS = ["reply", "note"];

/** Those that surely were not sent. One whose answer was lost is first tried at its own address, where its token is known; the rest stay
 * refused, until the member sends them to the conversation that remains, or changes them. */
function moveRefused() {
  const replies = readOutbox(outboxOf(merged));
  const refused = replies.filter(({ refusal }) => refusal);
  if (refused.length === 0) return;
  const moved = refused.map((reply) => ({ ...reply, action: reply.action.replace(merged, into) }));
  changeOutbox(outboxOf(merged), () => replies.filter(({ refusal }) => !refusal));
  changeOutbox(outboxOf(into), (others) => [...others, ...moved]);
}

/** A draft goes below one that is there already.
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
