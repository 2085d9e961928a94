import type { Options } from "minisearch";

/** How the index is made and read; both have to be the same. */
export const searchOptions: Options = {
  fields: ["heading", "title", "text"],
  storeFields: ["heading", "title", "section"],
  // Names such as `messages.send` and `not_found` are found whole and by their parts.
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
