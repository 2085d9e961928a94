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

  async function* pages() {
    let page = await first;
    for (;;) {
      yield page;
      const [, parameter, value] = read(page);
      if (value === null) return;
      // The API takes no offset beside a cursor.
      page = await fetchPage({ ...query, offset: undefined, [parameter]: value });
    }
  }

  async function* items() {
    for await (const page of pages()) yield* read(page)[0];
  }

  return Object.assign(first, { pages, [Symbol.asyncIterator]: items });
}
