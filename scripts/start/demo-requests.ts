// Requests that create the demo workspace.
import { StartError } from "./settings.ts";

/**
 * Sends a request and returns the body of its response. If the request creates records, they get the ids in
 * `chosenIds` instead of random ids.
 */
export type Call = (
  method: string,
  path: string,
  body?: object,
  chosenIds?: string[],
) => Promise<Record<string, unknown>>;

interface Sent {
  token: string;
  body?: object | undefined;
  /** The value of the header `Tidings-Chosen-Ids`: the operator's token, a space, and the ids separated by commas. */
  chosenIds?: string;
}

export function request(method: string, url: string, { token, body, chosenIds = "" }: Sent): Promise<Response> {
  return fetch(url, {
    method,
    headers: {
      Authorization: `Bearer ${token}`,
      "Tidings-Chosen-Ids": chosenIds,
      ...(body && { "Content-Type": "application/json" }),
    },
    ...(body && { body: JSON.stringify(body) }),
  });
}

/**
 * Returns a function that sends requests to paths below `base`. `chooser` is the operator's token, which is
 * required to choose ids. If it is null, the function ignores `chosenIds`, and the records get random ids.
 */
export const createCaller =
  (base: string, token: string, chooser: string | null): Call =>
  async (method, path, body, chosenIds = []) => {
    const header = chooser === null ? "" : `${chooser} ${chosenIds.join(",")}`;
    const response = await request(method, base + path, { token, body, chosenIds: header });
    const text = await response.text();
    if (!response.ok) throw new StartError(`${response.url} returned ${response.status}: ${text}`);
    return JSON.parse(text);
  };

export const idIn = (record: unknown) => fieldIn(record, "id");

export function fieldIn(record: unknown, name: string): string {
  const value: unknown = typeof record === "object" && record !== null ? Reflect.get(record, name) : undefined;
  if (typeof value === "string") return value;
  throw new Error(`${name} is missing in ${JSON.stringify(record)}`);
}
