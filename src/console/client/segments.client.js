// Counts while a segment is being built, and shows what fits the field and comparison chosen.

/** @type {AbortController | undefined} */
let asked;
/** @type {ReturnType<typeof setTimeout> | undefined} */
let soon;
/** Whether the conditions shown no longer fit the fields chosen. */
let isStale = false;

/** An answer to what was there before would undo what is typed meanwhile. */
function forgetAnswer() {
  clearTimeout(soon);
  asked?.abort();
}

/** Puts the cursor back into a field that was replaced.
 * @type {(work: () => Promise<void>) => Promise<void>} */
async function keepingCursor(work) {
  const before = document.activeElement;
  const at = before instanceof HTMLInputElement ? before.selectionStart : null;
  await work();
  const after = document.activeElement;
  if (at !== null && after !== before && after instanceof HTMLInputElement && after.id === before?.id)
    after.setSelectionRange(at, at);
}

/** Sends the form as it is, which saves nothing, and takes over the part of the answer that is of use. */
async function lookAgain() {
  const form = document.getElementById("segment-form");
  if (!(form instanceof HTMLFormElement)) return;
  asked = new AbortController();
  const { signal } = asked;
  const body = new URLSearchParams();
  for (const [name, value] of new FormData(form)) if (typeof value === "string") body.append(name, value);
  try {
    await keepingCursor(async () => {
      const response = await fetch(form.action, { method: "POST", body, signal });
      show(response, await response.text(), [isStale ? "builder" : "segment-count"], true);
    });
    isStale = false;
  } catch (error) {
    if (!signal.aborted) throw error;
  }
}

document.addEventListener("input", ({ target }) => {
  if (!(target instanceof HTMLElement) || target.closest("#segment-form") === null || target.id === "field-name")
    return;
  forgetAnswer();
  const changesFields = target.dataset["refresh"] !== undefined;
  isStale ||= changesFields;
  soon = setTimeout(() => void lookAgain(), changesFields ? 0 : 300);
});

document.addEventListener("submit", ({ target }) => {
  if (target instanceof HTMLElement && target.id === "segment-form") forgetAnswer();
});

// What was chosen before this script ran, or is kept by the browser from an earlier visit, is shown by old conditions.
for (const select of document.querySelectorAll("#segment-form select")) {
  if (select instanceof HTMLSelectElement && select.selectedOptions[0]?.defaultSelected === false) isStale = true;
}
if (isStale) void lookAgain();
