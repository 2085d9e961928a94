import { sql } from "drizzle-orm";
import { expect, test } from "vitest";
import * as z from "zod";
import { commitOnce } from "../../../src/features/commits/commit-once.ts";
import { storeInParts } from "../../../src/features/commits/store-in-parts.ts";
import { contextOf } from "../../support/context.ts";
import { World } from "../../support/world.ts";

const numbers = z.array(z.number());

test.each([
  [50, 20, 15],
  [50, 15, 20],
  [18, 20, 15],
  [18, 15, 20],
])(
  "A repeat of a request of %i rows, which an earlier version stored in parts of %i, stores the missing rows in parts of %i",
  async (count, sizeBefore, sizeAfter) => {
    const customer = await new World().customer();
    const { keyId: id, connectionId } = customer;
    const base = { ...(await contextOf(customer)), actor: { type: "api_key", id, connectionId } as const };
    const rows = Array.from({ length: count }, (_, row) => row);
    const stored: number[] = [];
    const store = async (rowsPerPart: number, end = Infinity) => {
      const once = { key: "one", fingerprint: "same", replayed: false };
      const results = await storeInParts<number, number>(
        { ...base, once },
        {
          rows,
          rowsPerPart,
          turns: "shared",
          async storePart(ctx, part) {
            if (part.first >= end) throw new Error("Interrupted.");
            const result = sql`SELECT ${JSON.stringify(part.rows)} AS result`;
            const done = await commitOnce(ctx, { effects: () => [], result, shape: numbers });
            if (!done.replayed) stored.push(...part.rows);
            return done.result ?? [];
          },
          readStored: (replay) => numbers.parse(replay),
          onInterrupted(error) {
            throw error;
          },
        },
      );
      return { results, replayed: once.replayed };
    };
    const isInterrupted = count > sizeBefore;
    await store(sizeBefore, 2 * Math.floor(count / 3)).catch(() => {});
    expect(stored.length < count).toBe(isInterrupted);
    for (const replayed of [!isInterrupted, true]) expect(await store(sizeAfter)).toEqual({ results: rows, replayed });
    expect(stored).toEqual(rows);
  },
);
