import { createError } from "./errors.ts";

/**
 * A list of the API. `await` returns one page. `for await` returns the items of all pages, and loads each page when it
 * is needed.
 */
export interface List<Page, Item> extends Promise<Page>, AsyncIterable<Item> {
  /** Returns this page and all later pages. */
  pages(): AsyncIterable<Page>;
}

/** The items of a page, and the query parameter for the next page. Its value is null on the last page. */
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
      // Another server, such as a proxy, can have responded. The loop could then repeat one page forever.
      if (!Array.isArray(found) || (value !== null && (typeof value !== "string" || value === last)))
        throw createError("invalid_response", "The response is not a page of this list.", null);
      yield [page, found];
      if (value === null) return;
      last = value;
      // The API rejects an offset with a cursor.
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
