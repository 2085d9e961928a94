import { createError } from "./errors.ts";

/**
 * A list of the API: `await` it for one page, or loop with `for await` over the items of all pages, which are read as they are needed.
 */
export interface List<Page, Item> extends Promise<Page>, AsyncIterable<Item> {
  /** This page and those after it. */
  pages(): AsyncIterable<Page>;
}

/** A page's items, and the parameter and its value that give the page after it; null where there is none. */
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
      // A proxy may have answered; to go on would give the same page without end.
      if (!Array.isArray(found) || (value !== null && (typeof value !== "string" || value === last)))
        throw createError("invalid_response", "The response is not a page of this list.", null);
      yield [page, found];
      if (value === null) return;
      last = value;
      // The API takes no offset beside a cursor.
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
