import { describe, expect, it } from "vitest";
import { guessDateOrder, isAmbiguous, readDate, readDateTime } from "../../src/console/pages/import/import-dates.ts";

describe("Import dates", () => {
  it.each([
    ["1990-12-31", null, "1990-12-31"],
    ["1990/1/5", "month_first", "1990-01-05"],
    ["31/12/1990", null, "1990-12-31"],
    ["12/31/1990", null, "1990-12-31"],
    ["5.6.1990", "day_first", "1990-06-05"],
    ["5/6/1990", "month_first", "1990-05-06"],
    ["05-05-1990", null, "1990-05-05"],
    ["31/12/1990", "month_first", "1990-31-12"],
    ["1990-12-31 00:00:00", null, "1990-12-31"],
    ["1990-12-31T00:00:00.000Z", null, "1990-12-31"],
    ["5/6/1990", null, "5/6/1990"],
    ["1990-12-31 10:00", null, "1990-12-31 10:00"],
    ["31/12/90", "day_first", "31/12/90"],
    ["31/12-1990", "day_first", "31/12-1990"],
    ["soon", null, "soon"],
  ] as const)("The imported date %s, with the day and month order %s, is read as %s", (text, order, date) => {
    expect(readDate(text, order)).toBe(date);
  });

  it.each([
    ["31/12/2025", null, "2025-12-31T00:00:00Z"],
    ["31.12.2025, 18:30", "day_first", "2025-12-31T18:30:00Z"],
    ["12/31/2025 12:05 AM", "month_first", "2025-12-31T00:05:00Z"],
    ["12/31/2025 12:05:09 pm", "month_first", "2025-12-31T12:05:09Z"],
    ["2025-12-31T18:30:00+02:00", null, "2025-12-31T18:30:00+02:00"],
    ["2025-12-31 8:30Z", null, "2025-12-31T08:30:00Z"],
    ["5/6/2025 10:00", null, "5/6/2025 10:00"],
    ["2025-12-31 at noon", null, "2025-12-31 at noon"],
  ] as const)("The imported time %s, with the day and month order %s, is read as %s", (text, order, at) => {
    expect(readDateTime(text, order)).toBe(at);
  });

  it("An imported date is ambiguous only if both of its numbers can be a month", () => {
    expect(["05/06/1990", "05/05/1990", "13/06/1990", "1990-05-06", "soon"].filter(isAmbiguous)).toEqual([
      "05/06/1990",
    ]);
  });
});

describe("Date order", () => {
  it.each([
    [["05/06/1990", "31/12/1990"], "day_first", "31/12/1990", "05/06/1990"],
    [["05/06/1990", "12/31/1990", "12/30/1990", "31/12/1990"], "month_first", "12/31/1990", "05/06/1990"],
    [["05.06.1990"], "day_first", "05.06.1990", "05.06.1990"],
    [["05/06/1990"], null, null, "05/06/1990"],
    [["31/12/1990", "12/31/1990"], null, null, null],
    [["1990-05-06", "", "soon"], null, null, null],
  ] as const)("The order of day and month in the dates %j is %s, because of %s", (cells, order, evidence, open) => {
    expect(guessDateOrder(cells)).toEqual({ order, evidence, open });
  });
});
