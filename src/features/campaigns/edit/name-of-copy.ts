// The name of a campaign's copy. Pure.
import { MAX_NAME_CHARACTERS } from "../campaigns.schemas.ts";

const COPY = / \(copy(?: \d+)?\)$/;

/** "May news (copy)", or "May news (copy 2)" if that name exists. A copy of a copy gets the next number of the original. */
export function nameOfCopy(name: string, taken: ReadonlySet<string>): string {
  const original = Array.from(name.replace(COPY, ""));
  for (let number = 1; ; number++) {
    const ending = number === 1 ? " (copy)" : ` (copy ${number})`;
    const copy = original.slice(0, MAX_NAME_CHARACTERS - ending.length).join("") + ending;
    if (!taken.has(copy)) return copy;
  }
}
