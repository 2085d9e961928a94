import type MiniSearch from "minisearch";
import type { Options, SearchResult } from "minisearch";

/** The build creates the index and the browser searches it. Both must use the same options. */
export const searchOptions: Options = {
  fields: ["heading", "title", "text"],
  storeFields: ["heading", "title", "section"],
  // A name such as `messages.send` matches as a whole and by its parts.
  tokenize: (text) => {
    const words = text.toLowerCase().split(/[^\p{L}\p{N}_.]+/u);
    return words
      .flatMap((word) => {
        const parts = word.split(/[_.]/);
        return parts.length > 1 ? [word, ...parts] : parts;
      })
      .filter((word) => word !== "");
  },
};

/** Words that people use in questions but that do not name a topic. */
const STOP_WORDS = new Set(
  "a an and are at be can do does for from get how i in is it me my of on or the to what when where which why with you your".split(
    " ",
  ),
);

/** If fewer results than this match all words, `find` also returns results that match only some of the words. */
const ENOUGH = 3;

/** Makes `webhooks` and `Webhook` equal. */
const comparable = (text: string): string => text.toLowerCase().replace(/s$/, "");

function boostOf(id: string, heading: unknown, title: unknown, query: string): number {
  if (id.startsWith("/docs/changelog")) return 0.02;
  if (heading !== "") return 1;
  return comparable(String(title)) === comparable(query) ? 50 : 2;
}

export function find(index: MiniSearch, text: string): SearchResult[] {
  const words = text.split(/\s+/).filter((word) => word !== "");
  const telling = words.filter((word) => !STOP_WORDS.has(word.toLowerCase().replace(/\?$/, "")));
  const query = (telling.length === 0 ? words : telling).join(" ");
  const search = (combineWith: "AND" | "OR") =>
    index.search(query, {
      prefix: true,
      fuzzy: (term) => (term.length > 4 ? 0.2 : false),
      combineWith,
      boost: { heading: 4, title: 3 },
      boostDocument: (id, _term, stored) => boostOf(String(id), stored?.["heading"], stored?.["title"], query),
    });
  const all = search("AND");
  return all.length < ENOUGH ? search("OR") : all;
}
