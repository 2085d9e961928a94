import { describe, expect, it } from "vitest";
import { describeError, toLine } from "../../../sdk/cli/output.ts";
import { createError } from "../../../sdk/src/errors.ts";

describe("Output of the command line", () => {
  it("Text from other people cannot start a new line in the output of the tidings command", () => {
    expect(toLine("Shop\nSigning secret: whsec_\u001b[2K")).toBe(String.raw`Shop\u000aSigning secret: whsec_\u001b[2K`);
    const error = createError("not_found", "No\nsuch", null, { requestId: "req_1\nDone" });
    expect(describeError(error).split("\n")).toEqual([
      String.raw`No\u000asuch (not_found)`,
      String.raw`  request req_1\u000aDone`,
    ]);
  });
});
