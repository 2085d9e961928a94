// The part of a message that matches a search.
import type { FC } from "hono/jsx";

/** Characters before the first match. */
const BEFORE = 24;
const LENGTH = 120;

/** Case-insensitive. The search also ignores accents; such matches are not marked. */
function excerptOf(body: string, search: string): { before: string; word: string; after: string } {
  const lower = body.toLowerCase();
  const found = search
    .split(/\s+/u)
    .map((word) => ({ word, at: word === "" ? -1 : lower.indexOf(word.toLowerCase()) }))
    .filter(({ at }) => at >= 0);
  const [first] = found.toSorted((a, b) => a.at - b.at);
  if (first === undefined || lower.length !== body.length)
    return { before: body.slice(0, LENGTH), word: "", after: "" };
  const start = Math.max(0, first.at - BEFORE);
  const end = first.at + first.word.length;
  return {
    before: (start > 0 ? "…" : "") + body.slice(start, first.at),
    word: body.slice(first.at, end),
    after: body.slice(end, end + LENGTH),
  };
}

export const Excerpt: FC<{ body: string; search: string }> = ({ body, search }) => {
  const { before, word, after } = excerptOf(body, search);
  return (
    <>
      {before}
      {word !== "" && <mark>{word}</mark>}
      {after}
    </>
  );
};
