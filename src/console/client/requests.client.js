import { make, makeButton, showToast } from "./elements.client.js";

/** @type {(fields: FormData) => URLSearchParams} */
export function encodeFields(fields) {
  const body = new URLSearchParams();
  for (const [name, value] of fields) if (typeof value === "string") body.append(name, value);
  return body;
}

/** @type {(page?: Document) => string} */
export const csrfToken = (page = document) =>
  page.querySelector('meta[name="csrf-token"]')?.getAttribute("content") ?? "";

/** Part of the names of stored data, because several members may use the same browser. */
export const memberId = (page = document) => page.querySelector("[data-member]")?.getAttribute("data-member") ?? "";

/**
 * Header of requests whose response is not shown as a page. The server then keeps a notice until the next page
 * that the user sees.
 */
export const UNSEEN = { "X-Refresh": "parts" };

/** @type {(html: string) => Document} */
export const parsePage = (html) => new DOMParser().parseFromString(html, "text/html");

/** @type {(url: string) => Promise<any>} */
export async function getJson(url) {
  const response = await fetch(url, { headers: { Accept: "application/json" } });
  if (!response.ok) throw new Error(`${response.status}`);
  return response.json();
}

/** @type {(ms: number) => Promise<void>} */
export const wait = (ms) => new Promise((resolve) => setTimeout(resolve, ms));

/** @type {(response: Response | null) => boolean} */
export const isTemporaryFailure = (response) => response === null || response.status >= 500 || response.status === 429;

/** True if the session has ended. The server then rejects a JSON request, and redirects any other request to the
 * sign-in page.
 * @type {(response: Response | null) => boolean} */
export const isSignedOut = (response) =>
  response?.status === 401 || (response?.redirected === true && new URL(response.url).pathname === "/console/sign-in");

/** @type {(file: Blob, name: string) => void} */
export function download(file, name) {
  const link = make("a", { href: URL.createObjectURL(file), download: name });
  link.click();
  setTimeout(() => URL.revokeObjectURL(link.href), 60_000);
}

/** @type {(token: string) => void} */
function adoptToken(token) {
  document.querySelector('meta[name="csrf-token"]')?.setAttribute("content", token);
  for (const field of document.querySelectorAll('input[name="csrf_token"]')) field.setAttribute("value", token);
  document.dispatchEvent(new CustomEvent("signed-in"));
}

/** @type {() => Promise<{ response: Response | null, page: Document }>} */
async function fetchOwnPage() {
  const headers = { Accept: "application/json, text/html", ...UNSEEN };
  const response = await fetch("/console/password", { headers }).catch(() => null);
  return { response, page: parsePage((await response?.text()) ?? "") };
}

/** If the member has signed in again in another tab, this page adopts the token of the new session. Returns
 * `ended` if another member has signed in, because this page must not send input in that member's name.
 * @type {() => Promise<"adopted" | "same" | "ended">} */
export async function adoptNewerToken() {
  const { response, page } = await fetchOwnPage();
  if (isSignedOut(response)) return "ended";
  const token = csrfToken(page);
  if (!response?.ok || token === "" || token === csrfToken()) return "same";
  if (memberId(page) !== memberId()) return "ended";
  adoptToken(token);
  return "adopted";
}

/** @type {(label: string, attributes: Record<string, string>) => HTMLElement} */
function createField(label, attributes) {
  const id = `again-${attributes["name"]}`;
  const input = make("input", { ...attributes, id, required: "" });
  return make("div", { class: "field" }, make("label", { for: id }, label), input);
}

function createDialog() {
  const fault = make("p", { class: "fault", role: "alert" });
  const email = document.querySelector(".menu.user .help")?.textContent ?? "";
  const address = { name: "email", type: "email", autocomplete: "username", value: email };
  const confirm = make("button", { type: "submit", class: "primary" }, "Sign in");
  const cancel = makeButton("plain", "Not now", () => dialog.close());
  const form = make(
    "form",
    {},
    // The email cannot be changed, because the input of this page must be sent by the member who entered it.
    createField("Email", email === "" ? address : { ...address, readonly: "" }),
    createField("Password", { name: "password", type: "password", autocomplete: "current-password", autofocus: "" }),
    fault,
    make("div", { class: "dialog-actions" }, confirm, cancel),
  );
  const dialog = make(
    "dialog",
    { "aria-labelledby": "again-title" },
    make("h2", { id: "again-title" }, "Sign in to continue"),
    make("p", {}, "Your session ended. Your changes are kept."),
    form,
  );
  return { dialog, form, fault };
}

/** @type {(fields: FormData) => Promise<string | null>} */
async function signIn(fields) {
  const body = encodeFields(fields);
  body.set("csrf_token", csrfToken((await fetchOwnPage()).page)); // a new token, because another member may have signed in
  const request = { method: "POST", body, headers: UNSEEN };
  const response = await fetch("/console/sign-in?next=/console/password", request).catch(() => null);
  if (response === null) return "You're offline. Try again when you're back online.";
  const page = parsePage(await response.text());
  const token = csrfToken(page);
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
      event.stopPropagation();
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

/** Opens the sign-in dialog, at most one at a time. Returns false if the user closes it.
 * @type {() => Promise<boolean>} */
export function signInAgain() {
  asking ??= askToSignIn().finally(() => (asking = null));
  return asking;
}

let isOffered = false;

/**
 * Offers to sign in only once per expired session: the request was not started by the user, so repeated offers
 * would disturb.
 */
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

/** For requests for which the user waits. If the session has expired, the user signs in on this page, and the
 * request is sent again. Returns null if the user closes the dialog instead.
 * @type {(url: string, options?: () => RequestInit) => Promise<Response | null>} */
export async function fetchSignedIn(url, options = () => ({})) {
  for (;;) {
    const response = await fetch(url, options());
    // A 403 can also mean that another tab has started a new session, so the session is checked.
    const session = isSignedOut(response) ? "ended" : response.status === 403 ? await adoptNewerToken() : "same";
    if (session === "same") return response;
    if (session === "ended" && !(await signInAgain())) return null;
  }
}
