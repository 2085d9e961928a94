// What pages weigh.
import { gzipSync } from "node:zlib";
import type { Page, Response } from "playwright-core";

interface Loaded {
  url: string;
  /** In bytes, compressed as the edge does. */
  length: number;
}

/** Lengths of assets, by their address: another content has another one. */
const assets = new Map<string, number>();

async function weigh(response: Response): Promise<Loaded> {
  const url = response.url();
  const known = assets.get(url);
  if (known !== undefined) return { url, length: known };
  const body = await response.body().catch(() => Buffer.alloc(0)); // a page that sends its form at once has left
  const { length } = gzipSync(body);
  if (url.includes("/assets/") && body.length > 0) assets.set(url, length);
  return { url, length };
}

/** Opens a page; gives its answer, and all that it loaded. */
export async function load(page: Page, path: string): Promise<{ answer: Response | null; loaded: Loaded[] }> {
  const loaded: Promise<Loaded>[] = [];
  const collect = (response: Response) => void loaded.push(weigh(response));
  page.on("response", collect);
  const answer = await page.goto(path, { waitUntil: "load" });
  page.off("response", collect);
  return { answer, loaded: await Promise.all(loaded) };
}

/** The bytes of responses. */
export const transferred = (responses: Loaded[]) => responses.reduce((sum, { length }) => sum + length, 0);

/** The bytes of a page that is opened for the first time, and once its scripts and styles are kept. */
export interface Weight {
  name: string;
  first: number;
  warm: number;
}

export const printHeaviest = (weights: Weight[]) =>
  console.table(weights.toSorted((one, other) => other.first - one.first).slice(0, 5));
