import type { Options } from "minisearch";

/** Options of the search index, which must be equal for building and reading it. */
export const searchOptions: Options = {
  fields: ["heading", "title", "text"],
  storeFields: ["heading", "title", "section"],
  // Names such as `messages.send` and `not_found` match as a whole and by their parts.
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
