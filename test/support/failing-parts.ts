import { vi } from "vitest";
import { type Passage, databasesThrough } from "./storage.ts";
import { World } from "./world.ts";

/** A database that fails at the `failing`-th part of a request, before or after the part takes effect. */
export class FailingPart implements Passage {
  parts = 0;
  failing = 0;
  when: "before" | "after" = "before";
  message = "D1_ERROR: Network connection lost.";
  /** Each part advances the clock. */
  partMs = 0;
  /** Runs after each part. */
  afterPart: () => Promise<void> = () => Promise.resolve();

  /** `storing` matches the statements of a part. */
  constructor(private readonly storing: RegExp) {}

  async run<T>(sql: string, work: () => Promise<T>): Promise<T> {
    if (!this.storing.test(sql)) return work();
    const fails = ++this.parts === this.failing;
    if (fails && this.when === "before") throw new Error(this.message);
    const result = await work();
    vi.setSystemTime(Date.now() + this.partMs);
    await this.afterPart();
    if (fails) throw new Error(this.message);
    return result;
  }
}

export function failingWorld(storing: RegExp): { world: World; database: FailingPart } {
  const database = new FailingPart(storing);
  return { world: new World(databasesThrough(database)), database };
}
