import { Operations } from "./generated/operations.ts";
import type { TidingsOptions } from "./options.ts";
import { Transport } from "./transport.ts";

export class Tidings extends Operations {
  constructor(options: TidingsOptions = {}) {
    const { adminToken, timeout = 60_000, maxRetries = 2 } = options;
    // Each call reads the global `fetch` again, because tests can replace it after the client was created. It is called
    // as a method of `globalThis`, because browsers throw an error otherwise.
    const { fetch = (url: string, init: RequestInit) => globalThis.fetch(url, init) } = options;
    const apiKey = options.apiKey ?? environmentVariable("TIDINGS_API_KEY");
    const baseUrl = parseBaseUrl(options.baseUrl ?? environmentVariable("TIDINGS_BASE_URL"));
    if (!(timeout > 0)) throw new TypeError("timeout must be a number of milliseconds.");
    if (!(maxRetries >= 0)) throw new TypeError("maxRetries must be a number of attempts.");
    super(
      new Transport({
        baseUrl,
        apiKey: checkCredential("apiKey", apiKey),
        adminToken: checkCredential("adminToken", adminToken),
        fetch,
        timeout,
        maxRetries,
      }),
    );
  }
}

/** Removes `/api/v1` from the end of the address, because each call adds it. */
function parseBaseUrl(baseUrl: string | undefined): string {
  if (!baseUrl) throw new TypeError('baseUrl is required: new Tidings({ baseUrl: "https://tidings.example.com" }).');
  const url = URL.canParse(baseUrl) ? new URL(baseUrl) : null;
  const isPlain =
    url !== null && /^https?:$/.test(url.protocol) && url.username + url.password + url.search + url.hash === "";
  if (!isPlain) throw new TypeError("baseUrl must be an address like https://tidings.example.com.");
  return url.origin + url.pathname.replace(/\/+$/, "").replace(/\/api\/v1$/, "");
}

/**
 * Throws if the credential is not valid in a header. Without this check, `fetch` would throw an error whose message
 * contains the credential.
 */
function checkCredential(name: string, credential: string | undefined): string | undefined {
  if (credential === undefined || (typeof credential === "string" && /^[\x21-\x7e]+$/.test(credential)))
    return credential;
  throw new TypeError(`${name} is empty or contains invalid characters.`);
}

/** Browsers and some Workers have no `process`. */
function environmentVariable(name: string): string | undefined {
  const variables: Record<string, string | undefined> | undefined = Reflect.get(globalThis, "process")?.env;
  return variables?.[name];
}
