import { make } from "../elements.client.js";
import { memberId } from "../requests.client.js";

/** @typedef {"reply" | "note"} Kind */

/** @type {(kind: Kind, conversationId: string) => string} */
export const draftKey = (kind, conversationId) => `draft:${memberId()}:${conversationId}:${kind}`;

/** @type {(kind: Kind, conversationId: string) => boolean} */
export const hasDraft = (kind, conversationId) => localStorage.getItem(draftKey(kind, conversationId)) !== null;

export function markRows() {
  for (const row of document.querySelectorAll('#conversations a[id^="row-"]')) {
    const id = row.id.slice("row-".length);
    const mark = row.querySelector(".draft-mark");
    if (!hasDraft("reply", id) && !hasDraft("note", id)) mark?.remove();
    else if (mark === null)
      row.querySelector(".row-marks")?.prepend(make("span", { class: "badge draft-mark" }, "Draft"), " ");
  }
}

export function forgetQuote() {
  if (document.querySelector("#quote [name=reply_to]") !== null) return;
  const url = new URL(location.href);
  url.searchParams.delete("reply_to");
  history.replaceState(null, "", url);
}
