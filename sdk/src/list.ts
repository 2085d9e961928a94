import { createError } from "./errors.ts";

/**
 * `await` returns one page. `for await` returns the items of all pages, and loads each page only when its items
 * are needed.
 */
export interface List<Page, Item> extends Promise<Page>, AsyncIterable<Item> {
  pages(): AsyncIterable<Page>;
}

export type ReadPage<Page, Item> = (page: Page) => [items: Item[], parameter: string, value: string | null];

export type Query = Record<string, string | number | boolean | undefined>;

export function createList<Page, Item>(
  query: Query,
  fetchPage: (query: Query) => Promise<Page>,
  read: ReadPage<Page, Item>,
): List<Page, Item> {
  const first = fetchPage(query);

  async function* walk(): AsyncGenerator<[page: Page, items: Item[]], void> {
    let page = await first;
    let last: string | null = null;
    for (;;) {
      const [found, parameter, value] = read(page);
      // Without this check, the loop could request the same page forever, for example if a proxy had sent the
      // response.
      if (!Array.isArray(found) || (value !== null && (typeof value !== "string" || value === last)))
        throw createError("invalid_response", "The response is not a page of this list.", null);
      yield [page, found];
      if (value === null) return;
      last = value;
      // The API rejects a request with both a cursor and an offset, so only the first request has the offset.
      page = await fetchPage({ ...query, offset: undefined, [parameter]: value });
    }
  }

  async function* pages() {
    for await (const [page] of walk()) yield page;
  }

  async function* items() {
    for await (const [, found] of walk()) yield* found;
  }

  return Object.assign(first, { pages, [Symbol.asyncIterator]: items });
}
