import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { optOutWord } from "../../src/features/inbound/inbound.opt-out.ts";

const STOP = ["STOP", "UNSUBSCRIBE", "CANCEL", "PARAR", "SAIR", "BAJA", "ALTO", "ARRET", "STOPP"];
const START = ["START", "UNSTOP"];

const fullWidth = (word: string) =>
  word.replace(/[!-~]/g, (c) => String.fromCodePoint((c.codePointAt(0) ?? 0) + 0xfee0));
const dressing = fc
  .array(
    fc.constantFrom(
      " ",
      "\n",
      "\u00a0",
      ".",
      "!",
      "?",
      "¡",
      "«",
      "…",
      "_",
      "*",
      "#",
      "👍🏽",
      "🇧🇷",
      "1️⃣",
      "ℹ️",
      "👩‍👧",
      "\u200b",
      "\ufe0f",
    ),
  )
  .map((parts) => parts.join(""));

describe("Opt-out words", () => {
  it("An opt-out word is recognized in any case and width, with punctuation, spaces or emoji around it", () => {
    const dressed = fc.constantFrom<(word: string) => string>(
      (word) => word,
      (word) => word.toLowerCase(),
      (word) => word.charAt(0) + word.slice(1).toLowerCase(),
      fullWidth,
      (word) => word.toLocaleLowerCase("tr"),
    );
    fc.assert(
      fc.property(fc.constantFrom(...STOP, ...START), dressed, dressing, dressing, (word, dress, before, after) => {
        expect(optOutWord(before + dress(word) + after)).toBe(STOP.includes(word) ? "stop" : "start");
      }),
      { numRuns: 1000 },
    );
  });

  it.each(["ARRÊT", "arrêt", "arre\u0302t", "Arrét.", "SAİR", "saır", "st\u00adop", "ﬅop"])(
    "The text %s is recognized as an opt-out word",
    (text) => {
      expect(optOutWord(text)).toBe("stop");
    },
  );

  it.each([
    "",
    "   ",
    "👍",
    "stop it",
    "please stop",
    "stop stop",
    "don't stop",
    "stops",
    "nonstop",
    "bus-stop",
    "STOP 1",
    "S.T.O.P",
    "ST OP",
    "st👍op",
    "start now",
    "restart",
    "постоп",
    "停止",
    "STOP\nSTART",
    "constructor",
    "__proto__",
  ])("The text %j is not recognized as an opt-out word", (text) => {
    expect(optOutWord(text)).toBeNull();
  });

  const fillers = ["!", " ", "a", "👍", "1️⃣", "\u0301", "\ufdfa"];

  it("The search for an opt-out word takes time proportional to the length of the message", () => {
    for (const filler of fillers) expect(optOutWord(`${filler.repeat(6000)}x`)).toBeNull();
  });

  it("The search for an opt-out word takes linear time in 60,000 characters", { tags: "long" }, () => {
    for (const filler of fillers) expect(optOutWord(`${filler.repeat(60_000)}x`)).toBeNull();
  });
});
