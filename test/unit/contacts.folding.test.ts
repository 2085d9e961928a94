import { describe, expect, it } from "vitest";
import { foldedField, searchPhrases, splitNumber } from "../../src/features/contacts/contacts.folding.ts";
import { fold } from "../../src/shared/text/folding.ts";

describe("Folding", () => {
  it.each([
    ["José", "jose"],
    ["STRASSE", "strasse"],
    ["Straße", "strasse"],
    ["IŞIK ışık Işık İş", "isik isik isik is"],
    ["Đặng Thị Ngọc", "dang thi ngoc"],
    ["ＡＢＣ１２３", "abc123"],
    ["Łódź Øre Ærø", "lodz ore aero"],
    ["ΟΔΟΣ οδός", "οδοσ οδοσ"],
    ["  many \t spaces\n", "many spaces"],
    ["a\u0000b\u0002c", "abc"],
    ["東京がか", "東京がか"],
    ["हिन्दी", "हिन्दी"],
    ["😀 ok", "😀 ok"],
  ])("Folding converts %j to %j", (text, folded) => {
    expect(fold(text)).toBe(folded.normalize("NFC"));
  });

  it("Folding does not change a folded text", () => {
    for (const text of ["İstanbul", "ﬁne ﬃ", "Ω≈ç√", "ＡΣς"]) expect(fold(fold(text))).toBe(fold(text));
  });

  it("Folding lists the first two characters of every word except the first word, each pair once", () => {
    expect(foldedField("name", "Anna O'Brien-Smith Smythe")).toEqual({
      name: "anna o'brien-smith smythe",
      name_words: "\u0002\u0002o'\u0002\u0002br\u0002\u0002sm",
    });
    expect(foldedField("name", null)).toEqual({ name: null, name_words: null });
  });
});

describe("Search phrases", () => {
  it("Search phrases match any part of a text from three characters, and the beginning of a word with fewer", () => {
    expect(searchPhrases("Ann")).toEqual(["ann"]);
    expect(searchPhrases("An")).toEqual(["\u0002\u0002an"]);
    expect(searchPhrases("😀")).toEqual(["\u0002\u0002😀"]);
  });

  it("Search phrases match a part of a phone number, with and without its punctuation", () => {
    expect(searchPhrases("(415) 555")).toEqual(["(415) 555", "415555"]);
    expect(searchPhrases("+1")).toEqual(["\u0002\u0002+1", "\u0002\u00021"]);
    expect(searchPhrases("415555")).toEqual(["415555"]);
  });

  it("Search phrases match a number with a plus like the same number without a plus", () => {
    expect(searchPhrases("+14155550100")).toEqual(["14155550100"]);
    expect(searchPhrases("+123")).toEqual(["123"]);
    expect(searchPhrases("+12")).toEqual(["+12", "\u0002\u000212"]);
    expect(searchPhrases("+1 415 555 0100")).toEqual(["+1 415 555 0100", "14155550100"]);
  });

  it("Search phrases split a long number into its last eight digits and the digits before them, which overlap so that no trigram is lost", () => {
    expect(splitNumber("14155550100")).toEqual(["55550100", "14155"]);
    expect(splitNumber("123456789")).toEqual(["23456789", "123"]);
    for (const phrase of ["12345678", "+14155550100", "1415 5550100", "anna.smith"])
      expect(splitNumber(phrase)).toBeNull();
  });

  it("A term that is empty after folding has no search phrases", () => {
    expect(searchPhrases("\u0301")).toEqual([]);
  });
});
