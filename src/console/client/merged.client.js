// Moves replies and drafts that wait in this browser from a conversation to the one that it has become part of.
import { draftKey } from "./draft-marks.client.js";
import { changeOutbox, outboxOf, readOutbox } from "./outbox.client.js";

/** @typedef {import("./draft-marks.client.js").Kind} Kind */

const page = document.querySelector("[data-merged]");
const { merged = "", into = "" } = page instanceof HTMLElement ? page.dataset : {};

/** @type {Kind[]} */
const KINDS = ["reply", "note"];

/** A reply stays refused: the member sends it to the conversation that remains, or changes it. */
function moveReplies() {
  const replies = readOutbox(outboxOf(merged)).map((reply) => ({
    ...reply,
    action: reply.action.replace(merged, into),
  }));
  if (replies.length > 0) changeOutbox(outboxOf(into), (others) => [...others, ...replies]);
  changeOutbox(outboxOf(merged), () => []);
}

/** A draft goes below one that is there already.
 * @type {(kind: Kind) => void} */
function moveDraft(kind) {
  const texts = [draftKey(kind, into), draftKey(kind, merged)].flatMap((key) => localStorage.getItem(key) ?? []);
  localStorage.removeItem(draftKey(kind, merged));
  if (texts.length > 0) localStorage.setItem(draftKey(kind, into), texts.join("\n"));
}

if (into !== "") {
  moveReplies();
  for (const kind of KINDS) moveDraft(kind);
}
