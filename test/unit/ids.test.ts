import { describe, expect, it } from "vitest";
import { createIds, preferIds } from "../../src/shared/ids.ts";

const NOON = Date.UTC(2026, 10, 20, 12);

describe("Ids", () => {
  it("An id is a prefix and a lower-case ULID", () => {
    expect(createIds(() => NOON)("msg")).toMatch(/^msg_[0-7][0-9a-hjkmnp-tv-z]{25}$/);
  });

  it("Ids sort by their time, whatever the order of their creation", () => {
    const newId = createIds(() => NOON);
    const made = [5, 1, 9, 3, 7].map((offset) => ({ offset, id: newId("msg", NOON + offset) }));
    const sorted = made.toSorted((a, b) => (a.id < b.id ? -1 : 1));
    expect(sorted.map(({ offset }) => offset)).toEqual([1, 3, 5, 7, 9]);
  });

  it("Preferred ids are used once each, before random ids, and only for their own prefix", () => {
    const newId = preferIds(
      ["ct_1", "cnv_1", "ct_2"],
      createIds(() => NOON),
    );
    expect([newId("ct"), newId("ct"), newId("cnv")]).toEqual(["ct_1", "ct_2", "cnv_1"]);
    for (const prefix of ["ct", "cnv", "msg"] as const) expect(newId(prefix)).toMatch(/_[0-7][0-9a-hjkmnp-tv-z]{25}$/);
  });

  it("Ids that are created in the same millisecond sort in the order of creation, even between ids of other times", () => {
    const newId = createIds(() => NOON);
    const ids = Array.from({ length: 50 }, (_, n) => {
      newId("msg", NOON + n + 1);
      return newId("msg");
    });
    expect(ids.toSorted()).toEqual(ids);
  });
});
