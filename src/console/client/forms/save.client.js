// Submits a form until the server responds. Input survives lost connections, busy servers and expired sessions; the
// form's token prevents duplicates.
import { make, makeButton } from "../elements.client.js";
import { csrfToken, encodeFields, isTemporaryFailure, wait } from "../pages/requests.client.js";
import { fetchSignedIn } from "../pages/sign-in.client.js";
import { showToast } from "../toast.client.js";

const RETRY_MS = 3000;

/** The notice of each form that explains why it isn't saved yet.
 * @type {WeakMap<HTMLFormElement, { text: string, remove: () => void }>} */
const notices = new WeakMap();

/** @type {(form: HTMLFormElement) => void} */
function removeNotice(form) {
  notices.get(form)?.remove();
  notices.delete(form);
}

/**
 * True if the form has space for a notice. Inline buttons and menus use a toast, except in dialogs, which would cover
 * it.
 * @type {(form: HTMLFormElement) => boolean} */
const hasRoom = (form) =>
  form.closest("dialog") !== null || form.querySelector("input:not([type=hidden]), select, textarea") !== null;

/** @type {(form: HTMLFormElement, text: string, label: string | undefined, act: () => void) => () => void} */
function showNotice(form, text, label, act) {
  const notice = make("div", { class: "banner warning", role: "status" }, text);
  if (label !== undefined) notice.append(" ", makeButton("plain", label, act));
  form.append(notice);
  return () => notice.remove();
}

/** Explains why a form isn't saved. With a button, resolves when it is pressed.
 * @type {(form: HTMLFormElement, text: string, label?: string) => Promise<void>} */
export async function explain(form, text, label) {
  if (label === undefined && notices.get(form)?.text === text) return;
  removeNotice(form);
  await new Promise((resolve) => {
    const act = () => resolve(undefined);
    const remove = hasRoom(form)
      ? showNotice(form, text, label, act)
      : showToast(text, { kind: "warning", ...(label !== undefined && { act: { label, run: act }, isFixed: true }) });
    notices.set(form, { text, remove });
    if (label === undefined) act();
  });
}

const untilOnline = () =>
  Promise.race([
    new Promise((resolve) => window.addEventListener("online", resolve, { once: true })),
    wait(RETRY_MS), // browsers miss some reconnections
  ]);

/** @typedef {{ response: Response, text: string }} Answer */

/**
 * Returns the response; redirects and errors are JSON. Null if the user declines to sign in. `read` returns the
 * fields for each attempt.
 * @type {(form: HTMLFormElement, read: () => FormData) => Promise<Answer | null>} */
export async function sendUntilAnswered(form, read) {
  const address = form.getAttribute("action") ?? ""; // a field may be named `action`
  const request = () => {
    const fields = read();
    fields.set("csrf_token", csrfToken());
    const headers = { Accept: "application/json, text/html", "X-Form": "save" };
    return { method: "POST", body: encodeFields(fields), headers };
  };
  const send = async () => {
    const response = await fetchSignedIn(address, request);
    return response === null ? null : { response, text: await response.text() };
  };
  for (;;) {
    const answer = await send().catch(() => undefined);
    if (answer === null) return null;
    if (answer === undefined) {
      await explain(form, "You're offline. Your changes are kept and sent when you're back online.");
      await untilOnline();
    } else if (isTemporaryFailure(answer.response)) {
      await explain(form, "Couldn't save. Your changes are kept.", "Try again");
    } else {
      removeNotice(form);
      return answer;
    }
  }
}
