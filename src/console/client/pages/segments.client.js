import { encodeFields, isSignedOut, UNSEEN, offerSignIn } from "../requests.client.js";
import { showAnswer } from "../renew.client.js";

/** @type {AbortController | undefined} */
let request;
let typing = 0;
let isStale = false;
let isMissed = false;

/**
 * Cancels the running request. Its response belongs to an earlier state of the form and would overwrite newer
 * input.
 */
function cancelRequest() {
  clearTimeout(typing);
  request?.abort();
  isMissed = false;
}

/**
 * Updates the count of contacts without saving the form. If the user chose another field for a condition, also
 * replaces the conditions, because their inputs depend on the field.
 */
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

// Finds choices that differ from the rendered page: the browser may have restored them, or the user made them
// before this script ran. The inputs then still belong to the previous choice.
for (const select of document.querySelectorAll("#segment-form select")) {
  if (select instanceof HTMLSelectElement && select.selectedOptions[0]?.defaultSelected === false) isStale = true;
}
if (isStale) void updateBuilder();
