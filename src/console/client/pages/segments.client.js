// Counts a segment's contacts while it is built, and shows the inputs that go with the chosen field and comparison.
import { encodeFields, isSignedOut, UNSEEN } from "./requests.client.js";
import { offerSignIn } from "./sign-in.client.js";
import { showAnswer } from "../renew.client.js";

/** @type {AbortController | undefined} */
let request;
/** @type {ReturnType<typeof setTimeout> | undefined} */
let typing;
/** True when the conditions shown no longer go with the fields chosen. */
let isStale = false;
/** True where the session had ended when the builder was last sent. */
let isMissed = false;

/** An answer to an earlier state of the form would undo what was typed since. */
function cancelRequest() {
  clearTimeout(typing);
  request?.abort();
  isMissed = false;
}

/** Sends the form as it is, which saves nothing, and shows the count or, where conditions have changed, all of them. */
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

// A choice made before this script ran, or kept by the browser from an earlier visit, has no conditions of its own yet.
for (const select of document.querySelectorAll("#segment-form select")) {
  if (select instanceof HTMLSelectElement && select.selectedOptions[0]?.defaultSelected === false) isStale = true;
}
if (isStale) void updateBuilder();
