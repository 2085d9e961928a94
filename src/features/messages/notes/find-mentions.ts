interface Mentionable {
  name: string;
  email: string;
}

const WORD = /[\p{L}\p{N}_]/u;

const folded = (text: string): string => text.normalize("NFKC").toLowerCase();

const standsAt = (text: string, start: number, name: string): boolean =>
  text.startsWith(name, start) && !WORD.test(text.charAt(start + name.length));

export function mentionsOf<Member extends Mentionable>(members: readonly Member[]): { member: Member; text: string }[] {
  const byName = Map.groupBy(members, ({ name }) => folded(name));
  return members.map((member) => {
    const isShared = (byName.get(folded(member.name))?.length ?? 0) > 1;
    return { member, text: isShared ? `${member.name} (${member.email})` : member.name };
  });
}

/**
 * If several names match, the longest one wins: “@Ann Lee” is not a mention of Ann. If several members have the name,
 * all of them are mentioned.
 */
export function findMentions<Member extends Mentionable>(text: string, members: readonly Member[]): Member[] {
  const searched = folded(text);
  const named = [...mentionsOf(members), ...members.map((member) => ({ member, text: member.name }))];
  const longestFirst = [...Map.groupBy(named, (each) => folded(each.text))]
    .filter(([name]) => name !== "")
    .toSorted(([a], [b]) => b.length - a.length);
  const mentioned = new Set<Member>();
  for (const { index } of searched.matchAll(/@/g)) {
    if (WORD.test(searched.charAt(index - 1))) continue;
    const found = longestFirst.find(([name]) => standsAt(searched, index + 1, name));
    for (const { member } of found?.[1] ?? []) mentioned.add(member);
  }
  return [...mentioned];
}
