// What vitest.config.ts defines.
declare module "vitest" {
  interface TestTags {
    tags: "long";
  }
}

export {};
