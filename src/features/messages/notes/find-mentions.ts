// Members whom a note names: an @ and their name, as the console offers it.

interface Named {
  id: string;
  name: string;
}

const WORD = /[\p{L}\p{N}_]/u;

const folded = (text: string): string => text.normalize("NFKC").toLowerCase();

/** Whether `name` stands at `start` of the text, and no longer word. */
const standsAt = (text: string, start: number, name: string): boolean =>
  text.startsWith(name, start) && !WORD.test(text.charAt(start + name.length));

/** The members that a text names, each once, in their order in the text. Of two names that fit, it means the longer one. */
export function findMentions<Member extends Named>(text: string, members: readonly Member[]): Member[] {
  const searched = folded(text);
  const longestFirst = members
    .map((member) => ({ member, name: folded(member.name) }))
    .filter(({ name }) => name !== "")
    .toSorted((a, b) => b.name.length - a.name.length);
  const mentioned = new Set<Member>();
  for (const { index } of searched.matchAll(/@/g)) {
    if (WORD.test(searched.charAt(index - 1))) continue;
    const found = longestFirst.find(({ name }) => standsAt(searched, index + 1, name));
    if (found !== undefined) mentioned.add(found.member);
  }
  return [...mentioned];
}
