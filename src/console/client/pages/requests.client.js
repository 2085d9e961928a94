// Request helpers shared by scripts.

/** The text fields of a form in URL encoding.
 * @type {(fields: FormData) => URLSearchParams} */
export function encodeFields(fields) {
  const body = new URLSearchParams();
  for (const [name, value] of fields) if (typeof value === "string") body.append(name, value);
  return body;
}

/** Marks requests of console scripts. */
export const csrfToken = () => document.querySelector('meta[name="csrf-token"]')?.getAttribute("content") ?? "";

/** The user's ID. Stored data of one member is never shown to another. */
export const memberId = (page = document) => page.querySelector("[data-member]")?.getAttribute("data-member") ?? "";

/** Marks responses that no user sees, so that notices wait for the next full page load. */
export const UNSEEN = { "X-Refresh": "parts" };

/** @type {(html: string) => Document} */
export const parsePage = (html) => new DOMParser().parseFromString(html, "text/html");

/** Fetches JSON; throws on errors.
 * @type {(url: string) => Promise<any>} */
export async function getJson(url) {
  const response = await fetch(url, { headers: { Accept: "application/json" } });
  if (!response.ok) throw new Error(`${response.status}`);
  return response.json();
}

/** @type {(ms: number) => Promise<void>} */
export const wait = (ms) => new Promise((resolve) => setTimeout(resolve, ms));

/** Null is a failed connection: a retry may succeed.
 * @type {(response: Response | null) => boolean} */
export const isTemporaryFailure = (response) => response === null || response.status >= 500 || response.status === 429;

/** True if signed out: JSON requests are rejected, others redirect to the sign-in page.
 * @type {(response: Response | null) => boolean} */
export const isSignedOut = (response) =>
  response?.status === 401 || (response?.redirected === true && new URL(response.url).pathname === "/console/sign-in");

/** @type {(file: Blob, name: string) => void} */
export function download(file, name) {
  const link = document.createElement("a");
  link.href = URL.createObjectURL(file);
  link.download = name;
  link.click();
  setTimeout(() => URL.revokeObjectURL(link.href), 60_000);
}
