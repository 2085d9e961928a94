// Folding removes case and accents from texts before they are compared. SQLite has no such function, so texts
// are folded here, both when they are stored and when they are searched for.

/**
 * The accents of Latin, Greek, Cyrillic, Hebrew and Arabic, which folding removes. Indic vowel signs and kana
 * marks are not in the list, because a text without them would be another word.
 */
const ACCENTS = /[\u0300-\u036f\u1ab0-\u1aff\u1dc0-\u1dff\u20d0-\u20ff\ufe20-\ufe2f\u0591-\u05c7\u064b-\u065f\u0670]/g;

const letters: Record<string, string> = {
  ß: "ss",
  ı: "i",
  ł: "l",
  ø: "o",
  đ: "d",
  ð: "d",
  ħ: "h",
  þ: "th",
  æ: "ae",
  œ: "oe",
  ŋ: "n",
  ς: "σ",
};

export function fold(text: string): string {
  return text
    .normalize("NFKD")
    .replace(ACCENTS, "")
    .toLowerCase()
    .replace(/[ßıłøđðħþæœŋς]/g, (letter) => letters[letter] ?? letter)
    .replace(ACCENTS, "")
    .replace(/\s+/g, " ")
    .replace(/\p{Cc}|\p{Cf}/gu, "")
    .normalize("NFC")
    .trim();
}

/** Names that differ only in case or width have the same key. Names with different accents have different keys. */
export const nameKey = (name: string): string => name.normalize("NFKC").toUpperCase().toLowerCase(); // ß becomes ss

export function firstSpellings(
  names: readonly string[],
  keyOf: (name: string) => string = nameKey,
): Map<string, string> {
  const byKey = new Map<string, string>();
  for (const name of names) {
    const key = keyOf(name);
    if (!byKey.has(key)) byKey.set(key, name);
  }
  return byKey;
}
