// Finds odd words in names, comments, texts and documents. Part of `npm run check`.
import { globSync, readFileSync } from "node:fs";
import { parseSync, Visitor } from "oxc-parser";

/** A word in a camel-case name, and the words to use instead. */
const names: Record<string, string> = {
  place: "the meaning: position, index, placeholder, progress",
  places: "the meaning: positions, variables, locations",
  refuse: "build…Error, find…Fault or assert…",
  refuses: "build…Error, find…Fault or assert…",
  standing: "snapshot or stored",
  theirs: "stored",
  shown: "rendered or visible",
  told: "sent",
  tell: "notify, send, log",
  tells: "emits",
  says: "returns",
  asked: "requested",
  retire: "delete",
  retired: "deleted",
  carried: "stored",
  carry: "store, copy, pass",
  mended: "fixed",
  trip: "roundTrip, query",
  trips: "roundTrips, queries",
  surface: "api",
  nature: "kind",
};

/** A phrase in a sentence, and the words to use instead. */
const phrases: [RegExp, string][] = [
  [/(?<!there )\b(is|are|was|were) no (?!longer|more)[a-z]+/i, "is not a …"],
  [/\b(by now|as it stands|as they stand)\b/i, "currently"],
  [/\b(thereafter|thereby|whereupon|therein|thereof|hitherto)\b/i, "before or after, with a noun"],
  [/\b(mended|mends?|bites?|bitten)\b/i, "fix, take effect"],
  [/\b(is|are|was|were|be) taken\b/i, "accepted, used, stored"],
  [/\bgiven back\b/i, "returned"],
  [/\b(goes|go) on\b/i, "continues"],
  [/\b(comes?|came) to\b/i, "results in"],
  [/\bfilms?\b/i, "video"],
  [/\btheirs\b/i, "the stored one"],
  [/\bround ?trips? of the database\b/i, "round trip"],
  [/\b(answers?|asks?|tells?|says?) (with|for|of) (it|that|what|which)\b/i, "returns, queries, emits"],
  [/\bwhat (has|is|was|are|were) (been )?\w+(ed|en|wn|ld|nt)\b/i, "a noun in place of “what”"],
  [/\bnot (one|any) of (it|them)\b/i, "none, with a noun"],
  [/\bsurely\b/i, "delete the word"],
];

/**
 * Maps an allowed name to a pattern for the files that may use it. These names cannot change, because stored data and
 * Durable Objects of earlier versions use them.
 */
const kept = new Map([["place", /webhook|status/]]);

interface Finding {
  at: string;
  text: string;
  advice: string;
}

const findings = [
  ...globSync(["src/**/*.{ts,tsx,js}", "scripts/**/*.{ts,tsx,js}", "sdk/{src,cli}/**/*.ts"]).flatMap(readCode),
  ...globSync(["*.md", "docs/**/*.md", "sdk/*.md"])
    .filter((file) => file !== "CHANGELOG.md")
    .flatMap(readDocument),
];
for (const { at, text, advice } of findings) console.log(`${at}: ${text} → ${advice}`);
console.log(`${findings.length} findings`);
process.exitCode = findings.length === 0 ? 0 : 1;

function readCode(file: string): Finding[] {
  if (file === "scripts/check-prose.ts" || /generated|\.d\.ts$/.test(file)) return [];
  const code = readFileSync(file, "utf8");
  const { comments, program } = parseSync(file, code);
  const found = new Map<string, Finding>(); // the key prevents two findings for one name in a file
  const lineAt = (offset: number) => `${file}:${code.slice(0, offset).split("\n").length}`;
  const addText = (start: number, text: string) => {
    for (const finding of findPhrases(lineAt(start), text.replaceAll(/\s*\n\s*\*?\s*/g, " "))) {
      found.set(`${finding.at} ${finding.text}`, finding);
    }
  };
  const addName = ({ name, start }: { name: string; start: number }) => {
    if (kept.get(name)?.test(file)) return;
    const word = wordsOf(name).find((each) => Object.hasOwn(names, each));
    if (word && !found.has(name)) found.set(name, { at: lineAt(start), text: name, advice: names[word] ?? "" });
  };
  for (const { value, start } of comments) addText(start, value);
  new Visitor({
    Literal: ({ value, start }) => void (typeof value === "string" && value.includes(" ") && addText(start, value)),
    TemplateElement: ({ value, start }) => addText(start, value.raw),
    JSXText: ({ value, start }) => addText(start, value),
    Identifier: addName,
    PrivateIdentifier: addName,
    JSXIdentifier: addName,
  }).visit(program);
  return [...found.values()];
}

function readDocument(file: string): Finding[] {
  const prose = readFileSync(file, "utf8").replaceAll(/^```[\s\S]*?^```/gm, (code) => code.replaceAll(/[^\n]/g, ""));
  return prose.split("\n").flatMap((line, index) => findPhrases(`${file}:${index + 1}`, line));
}

function findPhrases(at: string, text: string): Finding[] {
  return phrases.flatMap(([pattern, advice]) => {
    const match = pattern.exec(text);
    return match ? [{ at, text: text.slice(Math.max(0, match.index - 30), match.index + 50).trim(), advice }] : [];
  });
}

/** Splits `tellSender` into `tell` and `sender`. */
function wordsOf(name: string): string[] {
  return name
    .replaceAll(/([a-z\d])([A-Z])/g, "$1 $2")
    .toLowerCase()
    .split(/[ _$]+/);
}
