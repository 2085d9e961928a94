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

/** Says in the form why it is not sent yet. With a button, waits until that is pressed.
 * @type {(form: HTMLFormElement, text: string, label?: string) => Promise<void>} */
function explain(form, text, label) {
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

/** The answer to a form. Errors come as JSON; `headers` ask for more. Null where the person did not want to sign in again.
 * `read` gives the fields for each attempt.
 * @type {(form: HTMLFormElement, submitter: HTMLElement | null, read: () => FormData, headers?: Record<string, string>) => Promise<Response | null>} */
export async function sendUntilAnswered(form, submitter, read, headers = {}) {
  showPending(form, submitter, true);
  try {
    for (let isTokenNew = false; ;) {
      const fields = read();
      fields.set("csrf_token", csrfToken());
      const body = encodeFields(fields);
      const accepted = { Accept: "application/json, text/html", ...headers };
      const response = await fetch(form.action, { method: "POST", body, headers: accepted }).catch(() => null);
      if (response === null) {
        await explain(form, "You're offline. Nothing is lost: this is sent when you are back.");
        await untilOnline();
      } else if (response.status === 401) {
        if (!(await signInAgain())) return null;
      } else if (response.status === 403 && !isTokenNew && (await adoptNewerToken())) {
        isTokenNew = true;
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

/** The button that was pressed is a field of the form, too: a script has to add it.
 * @type {(form: HTMLFormElement, submitter: HTMLElement | null) => void} */
function sendAsPage(form, submitter) {
  if (submitter instanceof HTMLButtonElement && submitter.name !== "") {
    const field = document.createElement("input");
    field.type = "hidden";
    field.name = submitter.name;
    field.value = submitter.value;
    form.append(field);
  }
  form.submit();
}

/** Sends a form with data-saves, and follows the answer.
 * @type {(form: HTMLFormElement, submitter: HTMLElement | null) => Promise<void>} */
export async function saveForm(form, submitter) {
  // Read anew each time: it can be changed while it waits.
  const read = () => new FormData(form, submitter);
  const response = await sendUntilAnswered(form, submitter, read, { "X-Form": "save" });
  if (response === null) {
    void explain(form, "You are signed out, and this is not saved yet. Save again to sign in.");
    return;
  }
  const isData = response.headers.get("Content-Type")?.includes("json") === true;
  const answer = isData ? await response.json() : null;
  if (typeof answer?.redirect === "string") location.assign(answer.redirect);
  else if (answer?.error === undefined)
    sendAsPage(form, submitter); // the page that says what is wrong, which stored nothing
  else void explain(form, answer.error.message);
}
