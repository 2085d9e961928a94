// The part of a message in which a search found its words.
import type { FC } from "hono/jsx";

/** Characters that are shown before the first word that was found. */
const BEFORE = 24;
const LENGTH = 120;

/** Words are found here as they are typed, in any case; the search also knows them without accents, and shows no mark then. */
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
