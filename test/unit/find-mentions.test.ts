import { describe, expect, it } from "vitest";
import { findMentions, mentionsOf } from "../../src/features/messages/notes/find-mentions.ts";

const members = [
  { id: "1", name: "Ada", email: "ada@one.example" },
  { id: "2", name: "Ada Okafor", email: "ada@two.example" },
  { id: "3", name: "José-María", email: "jose@one.example" },
  { id: "4", name: "", email: "nobody@one.example" },
  { id: "5", name: "Bo", email: "bo@one.example" },
  { id: "6", name: "BO", email: "bo@two.example" },
];

describe("Mentions", () => {
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
    ["@Bo, both of you", ["5", "6"]],
    ["@BO (bo@two.example), and nobody else", ["6"]],
    ["@Bo (Bo@One.example) @Ada (ada@one.example)", ["5", "1"]],
  ])("A note with the text %j mentions the members %j", (text, ids) => {
    expect(findMentions(text, members).map(({ id }) => id)).toEqual(ids);
  });

  it("Mentions are suggested by name, with the email if several members have the same name", () => {
    const texts = mentionsOf(members).map(({ text }) => text);
    expect(texts).toEqual(["Ada", "Ada Okafor", "José-María", "", "Bo (bo@one.example)", "BO (bo@two.example)"]);
  });
});
