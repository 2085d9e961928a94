import { describe, expect, it } from "vitest";
import { findMentions } from "../../src/features/messages/notes/find-mentions.ts";

const members = [
  { id: "1", name: "Ada" },
  { id: "2", name: "Ada Okafor" },
  { id: "3", name: "José-María" },
  { id: "4", name: "" },
];

describe("mentions in a note", () => {
  it.each([
    ["@Ada please", ["1"]],
    ["(@ada okafor): please", ["2"]],
    ["@Ada Okafor and @ada, then @Ada Okafor again", ["2", "1"]],
    ["@JOSÉ-MARÍA!", ["3"]],
    ["@José-María", ["3"]],
    ["@Adam", []],
    ["ada@ada.example", []],
    ["@ and @nobody @", []],
    ["", []],
  ])("of %j are the members %j", (text, ids) => {
    expect(findMentions(text, members).map(({ id }) => id)).toEqual(ids);
  });
});
