// Counts a segment's contacts during editing, and shows the inputs for the chosen field and operator.
import { encodeFields, isSignedOut, UNSEEN, offerSignIn } from "../requests.client.js";
import { showAnswer } from "../renew.client.js";

/** @type {AbortController | undefined} */
let request;
let typing = 0;
/** True if the inputs don't match the chosen fields. */
let isStale = false;
/** True if the session had expired at the last submission. */
let isMissed = false;

/** A response to an older form state would undo newer input. */
function cancelRequest() {
  clearTimeout(typing);
  request?.abort();
  isMissed = false;
}

/** Submits the form without saving, and updates the count, or all conditions if they changed. */
async function updateBuilder() {
  const form = document.getElementById("segment-form");
  if (!(form instanceof HTMLFormElement)) return;
  request = new AbortController();
  const { signal } = request;
  const body = encodeFields(new FormData(form));
  try {
    const response = await fetch(form.action, { method: "POST", body, signal, headers: UNSEEN });
    isMissed = isSignedOut(response);
    if (isMissed) return offerSignIn();
    showAnswer(response, await response.text(), [isStale ? "builder" : "segment-count"], true);
    isStale = false;
  } catch (error) {
    if (!signal.aborted) throw error;
  }
}

document.addEventListener("input", ({ target }) => {
  if (!(target instanceof HTMLElement) || target.closest("#segment-form") === null || target.id === "field-name")
    return;
  cancelRequest();
  const changesFields = target.dataset["refresh"] !== undefined;
  isStale ||= changesFields;
  typing = setTimeout(() => void updateBuilder(), changesFields ? 0 : 300);
});

document.addEventListener("signed-in", () => {
  if (isMissed) void updateBuilder();
});

document.addEventListener("submit", ({ target }) => {
  if (target instanceof HTMLElement && target.id === "segment-form") cancelRequest();
});

// A choice made before this script ran, or restored by the browser, still has the old inputs.
for (const select of document.querySelectorAll("#segment-form select")) {
  if (select instanceof HTMLSelectElement && select.selectedOptions[0]?.defaultSelected === false) isStale = true;
}
if (isStale) void updateBuilder();
