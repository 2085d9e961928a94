// Requests that scripts of several pages send, and what they do with the answers.

/** The text fields of a form, encoded as the browser sends them.
 * @type {(fields: FormData) => URLSearchParams} */
export function encodeFields(fields) {
  const body = new URLSearchParams();
  for (const [name, value] of fields) if (typeof value === "string") body.append(name, value);
  return body;
}

/** Shows that a request comes from a page of the console. */
export const csrfToken = () => document.querySelector('meta[name="csrf-token"]')?.getAttribute("content") ?? "";

/** The user's own id; what a browser keeps for one member, it does not show to another. */
export const memberId = (page = document) => page.querySelector("[data-member]")?.getAttribute("data-member") ?? "";

/** Says that nobody sees the answer as a page: the notice of what was done waits for the one that is opened next. */
export const UNSEEN = { "X-Refresh": "parts" };

/** @type {(html: string) => Document} */
export const parsePage = (html) => new DOMParser().parseFromString(html, "text/html");

/** The JSON of an address; throws where there is none.
 * @type {(url: string) => Promise<any>} */
export async function getJson(url) {
  const response = await fetch(url, { headers: { Accept: "application/json" } });
  if (!response.ok) throw new Error(`${response.status}`);
  return response.json();
}

/** @type {(ms: number) => Promise<void>} */
export const wait = (ms) => new Promise((resolve) => setTimeout(resolve, ms));

/** Null stands for a connection that failed: the request may succeed when it is sent again.
 * @type {(response: Response | null) => boolean} */
export const isTemporaryFailure = (response) => response === null || response.status >= 500 || response.status === 429;

/** True where nobody is signed in: a request for JSON is refused, any other is led to the page for signing in.
 * @type {(response: Response | null) => boolean} */
export const isSignedOut = (response) =>
  response?.status === 401 || (response?.redirected === true && new URL(response.url).pathname === "/console/sign-in");

/** Saves a file among the reader's downloads.
 * @type {(file: Blob, name: string) => void} */
export function download(file, name) {
  const link = document.createElement("a");
  link.href = URL.createObjectURL(file);
  link.download = name;
  link.click();
  setTimeout(() => URL.revokeObjectURL(link.href), 60_000);
}
