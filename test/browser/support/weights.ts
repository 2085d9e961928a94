import { gzipSync } from "node:zlib";
import type { Page, Response } from "playwright-core";

interface Loaded {
  url: string;
  /** In bytes, after the compression that Cloudflare uses. */
  length: number;
}

/** The length of each asset by address. The address changes with the content. */
const assets = new Map<string, number>();

async function weigh(response: Response): Promise<Loaded> {
  const url = response.url();
  const known = assets.get(url);
  if (known !== undefined) return { url, length: known };
  const body = await response.body().catch(() => Buffer.alloc(0)); // the page might have closed
  const { length } = gzipSync(body);
  if (url.includes("/assets/") && body.length > 0) assets.set(url, length);
  return { url, length };
}

export async function load(page: Page, path: string): Promise<{ answer: Response | null; loaded: Loaded[] }> {
  const loaded: Promise<Loaded>[] = [];
  const collect = (response: Response) => void loaded.push(weigh(response));
  page.on("response", collect);
  const answer = await page.goto(path, { waitUntil: "load" });
  page.off("response", collect);
  return { answer, loaded: await Promise.all(loaded) };
}

export const transferred = (responses: Loaded[]) => responses.reduce((sum, { length }) => sum + length, 0);

/** The bytes that a page loads at the first visit, and with cached scripts and styles. */
export interface Weight {
  name: string;
  first: number;
  warm: number;
}

export const printHeaviest = (weights: Weight[]) =>
  console.table(weights.toSorted((one, other) => other.first - one.first).slice(0, 5));
