declare module "vitest" {
  interface TestTags {
    tags: "long";
  }
}

/** Rows for `describe.each`: a sample that always runs, and the rest, which runs only with long tests. */
export const sampleAndRest = <T>(all: readonly T[], isInSample: (item: T, index: number) => boolean) => [
  { which: "a sample", some: all.filter(isInSample), options: {} },
  {
    which: "the rest",
    some: all.filter((item, index) => !isInSample(item, index)),
    options: { tags: "long" as const },
  },
];
