// Sends a form from its page until it is answered. What was typed stays there: through a lost connection, a server that is busy and
// a session that has ended. The form's own token makes sure that it is done once.
import { csrfToken, encodeFields, isTemporaryFailure, wait } from "./requests.client.js";
import { adoptNewerToken, signInAgain } from "./sign-in.client.js";

const RETRY_MS = 3000;

/** @type {(form: HTMLFormElement) => HTMLElement} */
function noticeOf(form) {
  const known = form.querySelector(":scope > .saving");
  if (known instanceof HTMLElement) return known;
  const notice = document.createElement("div");
  notice.className = "banner warning saving";
  notice.setAttribute("role", "status");
  form.append(notice);
  return notice;
}

/** Says in the form why it is not saved. With a button, waits until that is pressed.
 * @type {(form: HTMLFormElement, text: string, label?: string) => Promise<void>} */
export function explain(form, text, label) {
  const notice = noticeOf(form);
  notice.textContent = text;
  if (label === undefined) return Promise.resolve();
  const button = document.createElement("button");
  button.type = "button";
  button.className = "plain";
  button.textContent = label;
  notice.append(" ", button);
  return new Promise((resolve) => button.addEventListener("click", () => resolve(), { once: true }));
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

/** What an answer says about the session: after 403, another may have begun.
 * @type {(response: Response | null) => Promise<import("./sign-in.client.js").SessionNow>} */
async function sessionAfter(response) {
  if (response?.status === 401) return "ended";
  return response?.status === 403 ? adoptNewerToken() : "same";
}

/** The answer to a form. Errors come as JSON; `headers` ask for more. Null where the person did not want to sign in again.
 * `read` gives the fields for each attempt.
 * @type {(form: HTMLFormElement, submitter: HTMLElement | null, read: () => FormData, headers?: Record<string, string>) => Promise<Response | null>} */
export async function sendUntilAnswered(form, submitter, read, headers = {}) {
  showPending(form, submitter, true);
  try {
    for (;;) {
      const fields = read();
      fields.set("csrf_token", csrfToken());
      const body = encodeFields(fields);
      const accepted = { Accept: "application/json, text/html", ...headers };
      const response = await fetch(form.action, { method: "POST", body, headers: accepted }).catch(() => null);
      const session = await sessionAfter(response);
      if (response === null) {
        await explain(form, "You're offline. Nothing is lost: this is sent when you are back.");
        await untilOnline();
      } else if (session === "ended") {
        if (!(await signInAgain())) return null;
      } else if (session === "same" && isTemporaryFailure(response)) {
        await explain(form, "Tidings couldn't save this just now. Nothing is lost.", "Try again");
      } else if (session === "same") {
        form.querySelector(":scope > .saving")?.remove();
        return response;
      }
    }
  } finally {
    showPending(form, submitter, false);
  }
}
