// Signing in within the page, for a session that has ended while a form was filled in.
import { csrfToken, encodeFields, memberId, parsePage } from "./requests.client.js";

/** Gives the page and its forms the token of a new session.
 * @type {(token: string) => void} */
function adoptToken(token) {
  document.querySelector('meta[name="csrf-token"]')?.setAttribute("content", token);
  for (const field of document.querySelectorAll('input[name="csrf_token"]')) field.setAttribute("value", token);
}

/** @type {(page: Document) => string} */
const tokenOf = (page) => page.querySelector('meta[name="csrf-token"]')?.getAttribute("content") ?? "";

/** The answer with a page of whoever is signed in in this browser now, which may not be this page's member.
 * @type {() => Promise<{ response: Response | null, page: Document }>} */
async function fetchOwnPage() {
  const accepted = { Accept: "application/json, text/html" };
  const response = await fetch("/console/password", { headers: accepted }).catch(() => null);
  return { response, page: parsePage((await response?.text()) ?? "") };
}

/** @typedef {"adopted" | "same" | "ended"} SessionNow `ended`: nobody is signed in, or somebody else than this page's member. */

/** Takes over the token of a session that the page's member has begun in another tab. That of another member is left alone: what
 * one has written does not go out in another's name.
 * @type {() => Promise<SessionNow>} */
export async function adoptNewerToken() {
  const { response, page } = await fetchOwnPage();
  if (response?.status === 401) return "ended";
  const token = tokenOf(page);
  if (!response?.ok || token === "" || token === csrfToken()) return "same";
  if (memberId(page) !== memberId()) return "ended";
  adoptToken(token);
  return "adopted";
}

/** @type {(label: string, attributes: Record<string, string>) => HTMLElement} */
function createField(label, attributes) {
  const field = document.createElement("div");
  field.className = "field";
  const input = document.createElement("input");
  for (const [name, value] of Object.entries(attributes)) input.setAttribute(name, value);
  input.id = `again-${input.name}`;
  input.required = true;
  const words = document.createElement("label");
  words.htmlFor = input.id;
  words.textContent = label;
  field.append(words, input);
  return field;
}

/** @type {(kind: string, type: "submit" | "button", label: string) => HTMLButtonElement} */
function createButton(kind, type, label) {
  const button = document.createElement("button");
  button.type = type;
  button.className = kind;
  button.textContent = label;
  return button;
}

function createDialog() {
  const dialog = document.createElement("dialog");
  dialog.setAttribute("aria-labelledby", "again-title");
  const title = document.createElement("h2");
  title.id = "again-title";
  title.textContent = "Sign in to go on";
  const text = document.createElement("p");
  text.textContent = "Your session has ended. What you typed is still here, and is sent once you have signed in.";
  const fault = document.createElement("p");
  fault.className = "fault";
  fault.setAttribute("role", "alert");
  const form = document.createElement("form");
  const email = document.querySelector(".menu.user .help")?.textContent ?? "";
  const address = { name: "email", type: "email", autocomplete: "username", value: email };
  const actions = document.createElement("div");
  actions.className = "dialog-actions";
  const cancel = createButton("plain", "button", "Not now");
  actions.append(createButton("primary", "submit", "Sign in"), cancel);
  form.append(
    // The form was filled in by this person: nobody else sends it.
    createField("Email", email === "" ? address : { ...address, readonly: "" }),
    createField("Password", { name: "password", type: "password", autocomplete: "current-password", autofocus: "" }),
    fault,
    actions,
  );
  dialog.append(title, text, form);
  return { dialog, form, fault, cancel };
}

/** Sends the form of the dialog; the reason why it was refused, or null.
 * @type {(fields: FormData) => Promise<string | null>} */
async function signIn(fields) {
  const body = encodeFields(fields);
  body.set("csrf_token", tokenOf((await fetchOwnPage()).page)); // somebody else may be signed in
  const response = await fetch("/console/sign-in?next=/console/password", { method: "POST", body }).catch(() => null);
  if (response === null) return "You're offline. Try again once you are back.";
  const page = parsePage(await response.text());
  const token = tokenOf(page);
  if (!response.ok || token === "")
    return page.querySelector(".banner.error, .fault")?.textContent ?? "That did not work. Try again shortly.";
  adoptToken(token);
  return null;
}

/** Asks for the password in a dialog; true once the person has signed in, false where they would rather not.
 * @type {() => Promise<boolean>} */
export function signInAgain() {
  const { dialog, form, fault, cancel } = createDialog();
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
      event.stopPropagation(); // it is no form of the page
      void send();
    });
    cancel.addEventListener("click", () => dialog.close());
    dialog.addEventListener("close", () => {
      dialog.remove();
      resolve(isSignedIn);
    });
    document.body.append(dialog);
    dialog.showModal();
  });
}
