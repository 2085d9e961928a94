// Sends a form from its page until it is answered. What was typed stays there: through a lost connection, a server that is busy and
// a session that has ended. The form's own token makes sure that it is done once.
import { make, makeButton } from "./elements.client.js";
import { csrfToken, encodeFields, isTemporaryFailure, wait } from "./requests.client.js";
import { fetchSignedIn } from "./sign-in.client.js";

const RETRY_MS = 3000;

/** @type {(form: HTMLFormElement) => HTMLElement} */
function noticeOf(form) {
  const known = form.querySelector(":scope > .saving");
  if (known instanceof HTMLElement) return known;
  const notice = make("div", { class: "banner warning saving", role: "status" });
  form.append(notice);
  return notice;
}

/** Says in the form why it is not saved. With a button, waits until that is pressed.
 * @type {(form: HTMLFormElement, text: string, label?: string) => Promise<void>} */
export function explain(form, text, label) {
  const notice = noticeOf(form);
  notice.textContent = text;
  if (label === undefined) return Promise.resolve();
  return new Promise((resolve) => notice.append(" ", makeButton("plain", label, resolve)));
}

const untilOnline = () =>
  Promise.race([
    new Promise((resolve) => window.addEventListener("online", resolve, { once: true })),
    wait(RETRY_MS), // browsers do not always notice
  ]);

/** @type {(form: HTMLFormElement, submitter: HTMLElement | null, isPending: boolean) => void} */
function showPending(form, submitter, isPending) {
  form.ariaBusy = String(isPending);
  submitter?.toggleAttribute("data-pending", isPending);
}

/** The answer to a form. Errors come as JSON; `headers` ask for more. Null where the person did not want to sign in again.
 * `read` gives the fields for each attempt.
 * @type {(form: HTMLFormElement, submitter: HTMLElement | null, read: () => FormData, headers?: Record<string, string>) => Promise<Response | null>} */
export async function sendUntilAnswered(form, submitter, read, headers = {}) {
  const accepted = { Accept: "application/json, text/html", ...headers };
  const request = () => {
    const fields = read();
    fields.set("csrf_token", csrfToken());
    return { method: "POST", body: encodeFields(fields), headers: accepted };
  };
  showPending(form, submitter, true);
  try {
    for (;;) {
      const response = await fetchSignedIn(form.action, request).catch(() => undefined);
      if (response === null) return null;
      if (response === undefined) {
        await explain(form, "You're offline. Nothing is lost: this is sent when you are back.");
        await untilOnline();
      } else if (isTemporaryFailure(response)) {
        await explain(form, "Tidings couldn't save this just now. Nothing is lost.", "Try again");
      } else {
        form.querySelector(":scope > .saving")?.remove();
        return response;
      }
    }
  } finally {
    showPending(form, submitter, false);
  }
}
