// Counts while a segment is being built, and shows what fits the field and comparison chosen.

/** @type {AbortController | undefined} */
let asked;
/** @type {ReturnType<typeof setTimeout> | undefined} */
let soon;

/** Sends the form as it is, which saves nothing, and takes over part of the answer.
 * @type {(form: HTMLFormElement, id: string) => Promise<void>} */
async function lookAgain(form, id) {
  asked?.abort();
  asked = new AbortController();
  const body = new URLSearchParams();
  for (const [name, value] of new FormData(form)) if (typeof value === "string") body.append(name, value);
  try {
    await load(form.action, [id], { method: "POST", body, signal: asked.signal });
  } catch (error) {
    if (!(error instanceof DOMException && error.name === "AbortError")) throw error;
  }
}

document.addEventListener("input", ({ target }) => {
  const form = target instanceof Element ? target.closest("form") : null;
  if (form?.id !== "segment-form" || !(target instanceof HTMLElement) || target.id === "field-name") return;
  clearTimeout(soon);
  if (target.dataset["refresh"] !== undefined) void lookAgain(form, "builder");
  else soon = setTimeout(() => void lookAgain(form, "segment-count"), 300);
});
