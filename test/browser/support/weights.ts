// What pages weigh.
import { gzipSync } from "node:zlib";
import type { Page, Response } from "playwright-core";

interface Loaded {
  url: string;
  body: Buffer;
}

/** Opens a page; gives its answer, and all that it loaded. */
export async function load(page: Page, path: string): Promise<{ answer: Response | null; loaded: Loaded[] }> {
  const loaded: Promise<Loaded>[] = [];
  page.on("response", (response) => {
    const left = () => Buffer.alloc(0); // a page that sends its form at once
    loaded.push(
      response
        .body()
        .catch(left)
        .then((body) => ({ url: response.url(), body })),
    );
  });
  const answer = await page.goto(path, { waitUntil: "load" });
  return { answer, loaded: await Promise.all(loaded) };
}

/** Lengths of assets, by their address: another content has another one. */
const assets = new Map<string, number>();

function lengthOf({ url, body }: Loaded): number {
  const length = assets.get(url) ?? gzipSync(body).length;
  if (url.includes("/assets/") && body.length > 0) assets.set(url, length);
  return length;
}

/** The bytes of responses, compressed as the edge does. */
export const transferred = (responses: Loaded[]) => responses.reduce((sum, each) => sum + lengthOf(each), 0);

/** The bytes of a page that is opened for the first time, and once its scripts and styles are kept. */
export interface Weight {
  name: string;
  first: number;
  warm: number;
}

export const printHeaviest = (weights: Weight[]) =>
  console.table(weights.toSorted((one, other) => other.first - one.first).slice(0, 5));
