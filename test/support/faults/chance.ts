/** Random numbers depend only on the seed and on `about`, so the order of the calls does not matter. */
export class Chance {
  constructor(readonly seed: number) {}

  of(...about: (string | number)[]): number {
    let hash = 0x811c9dc5 ^ this.seed;
    for (const character of about.join(":")) hash = Math.imul(hash ^ character.charCodeAt(0), 0x01000193);
    hash = Math.imul(hash ^ (hash >>> 16), 0x85ebca6b);
    hash = Math.imul(hash ^ (hash >>> 13), 0xc2b2ae35);
    return ((hash ^ (hash >>> 16)) >>> 0) / 2 ** 32;
  }

  happens(probability: number, ...about: (string | number)[]): boolean {
    return this.of(...about) < probability;
  }

  below(below: number, ...about: (string | number)[]): number {
    return Math.floor(this.of(...about) * below);
  }

  shuffled<T>(list: readonly T[], ...about: (string | number)[]): T[] {
    const next = numbersFrom(this.of(...about) * 2 ** 32);
    const keyed = list.map((item) => ({ item, key: next() }));
    return keyed.toSorted((a, b) => a.key - b.key).map(({ item }) => item);
  }
}

/** Returns numbers from 0 to less than 1. The same `start` returns the same numbers. */
export function numbersFrom(start: number): () => number {
  let state = start >>> 0;
  return () => {
    state = (state + 0x6d2b79f5) >>> 0;
    let mixed = Math.imul(state ^ (state >>> 15), state | 1);
    mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61);
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32;
  };
}
