// Sign-in within the page, if a session expires during editing.
import { make, makeButton } from "../elements.client.js";
import { csrfToken, encodeFields, isSignedOut, memberId, parsePage, UNSEEN } from "./requests.client.js";
import { showToast } from "../toast.client.js";

/** Applies a new session's token to the page and its forms, and notifies scripts.
 * @type {(token: string) => void} */
function adoptToken(token) {
  document.querySelector('meta[name="csrf-token"]')?.setAttribute("content", token);
  for (const field of document.querySelectorAll('input[name="csrf_token"]')) field.setAttribute("value", token);
  document.dispatchEvent(new CustomEvent("signed-in"));
}

/** @type {(page: Document) => string} */
const tokenOf = (page) => page.querySelector('meta[name="csrf-token"]')?.getAttribute("content") ?? "";

/** Fetches a page as the browser's current user, who may not be this page's member.
 * @type {() => Promise<{ response: Response | null, page: Document }>} */
async function fetchOwnPage() {
  const headers = { Accept: "application/json, text/html", ...UNSEEN };
  const response = await fetch("/console/password", { headers }).catch(() => null);
  return { response, page: parsePage((await response?.text()) ?? "") };
}

/** @typedef {"adopted" | "same" | "ended"} SessionNow `ended`: nobody is signed in, or somebody else than this page's member. */

/**
 * Adopts a session that the same member started in another tab. Another member's session is ignored: input must not
 * be sent in another name.
 * @type {() => Promise<SessionNow>} */
export async function adoptNewerToken() {
  const { response, page } = await fetchOwnPage();
  if (isSignedOut(response)) return "ended";
  const token = tokenOf(page);
  if (!response?.ok || token === "" || token === csrfToken()) return "same";
  if (memberId(page) !== memberId()) return "ended";
  adoptToken(token);
  return "adopted";
}

/** @type {(label: string, attributes: Record<string, string>) => HTMLElement} */
function createField(label, attributes) {
  const field = make("div", { class: "field" });
  const id = `again-${attributes["name"]}`;
  field.append(make("label", { for: id }, label), make("input", { ...attributes, id, required: "" }));
  return field;
}

function createDialog() {
  const dialog = make("dialog", { "aria-labelledby": "again-title" });
  const fault = make("p", { class: "fault", role: "alert" });
  const form = make("form");
  const email = document.querySelector(".menu.user .help")?.textContent ?? "";
  const address = { name: "email", type: "email", autocomplete: "username", value: email };
  const actions = make("div", { class: "dialog-actions" });
  const confirm = make("button", { type: "submit", class: "primary" }, "Sign in");
  actions.append(
    confirm,
    makeButton("plain", "Not now", () => dialog.close()),
  );
  form.append(
    // Only the member who filled in the form may send it.
    createField("Email", email === "" ? address : { ...address, readonly: "" }),
    createField("Password", { name: "password", type: "password", autocomplete: "current-password", autofocus: "" }),
    fault,
    actions,
  );
  dialog.append(
    make("h2", { id: "again-title" }, "Sign in to continue"),
    make("p", {}, "Your session ended. Your changes are kept."),
    form,
  );
  return { dialog, form, fault };
}

/** Submits the dialog's form. Returns the rejection reason, or null.
 * @type {(fields: FormData) => Promise<string | null>} */
async function signIn(fields) {
  const body = encodeFields(fields);
  body.set("csrf_token", tokenOf((await fetchOwnPage()).page)); // another member may be signed in
  const request = { method: "POST", body, headers: UNSEEN };
  const response = await fetch("/console/sign-in?next=/console/password", request).catch(() => null);
  if (response === null) return "You're offline. Try again when you're back online.";
  const page = parsePage(await response.text());
  const token = tokenOf(page);
  if (!response.ok || token === "")
    return page.querySelector(".banner.error, .fault")?.textContent ?? "Couldn't sign you in. Try again shortly.";
  adoptToken(token);
  return null;
}

/** @type {() => Promise<boolean>} */
function askToSignIn() {
  const { dialog, form, fault } = createDialog();
  return new Promise((resolve) => {
    let isSignedIn = false;
    const send = async () => {
      const refusal = await signIn(new FormData(form));
      fault.textContent = refusal ?? "";
      isSignedIn = refusal === null;
      if (isSignedIn) dialog.close();
    };
    form.addEventListener("submit", (event) => {
      event.preventDefault();
      event.stopPropagation(); // it is not a form of the page
      void send();
    });
    dialog.addEventListener("close", () => {
      dialog.remove();
      resolve(isSignedIn);
    });
    document.body.append(dialog);
    dialog.showModal();
  });
}

/** @type {Promise<boolean> | null} */
let asking = null;

/** Asks for the password in a dialog. Returns true after sign-in, false if dismissed. Only one dialog opens at a time.
 * @type {() => Promise<boolean>} */
export function signInAgain() {
  asking ??= askToSignIn().finally(() => (asking = null));
  return asking;
}

let isOffered = false;

/** Prompts once per expired session, because the user did not start the request. */
export function offerSignIn() {
  if (isOffered) return;
  isOffered = true;
  const act = { label: "Sign in", run: () => void signInAgain() };
  const withdraw = showToast("Your session ended.", { kind: "warning", act });
  const settle = () => {
    isOffered = false;
    withdraw();
  };
  document.addEventListener("signed-in", settle, { once: true });
}

/**
 * Fetches for a waiting user, who signs in within the page if the session expired. Null if dismissed; throws if
 * offline. `options` runs for each attempt, as the token changes.
 * @type {(url: string, options?: () => RequestInit) => Promise<Response | null>} */
export async function fetchSignedIn(url, options = () => ({})) {
  for (;;) {
    const response = await fetch(url, options());
    // After a 403, the session may have changed.
    const session = isSignedOut(response) ? "ended" : response.status === 403 ? await adoptNewerToken() : "same";
    if (session === "same") return response;
    if (session === "ended" && !(await signInAgain())) return null;
  }
}
