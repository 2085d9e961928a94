import fc from "fast-check";

export const anything = fc.jsonValue({ maxDepth: 4 });
/** Every object inherits these names. */
export const inherited = fc.constantFrom("constructor", "__proto__", "toString", "CONSTRUCTOR");
export const wildText = fc.oneof(
  inherited,
  fc.string({ unit: "binary" }),
  fc.string(),
  fc.constant("\0"),
  fc.constant("\ud800x"),
);
export const wild = fc.oneof(anything, wildText, fc.constant(null), fc.constant("x".repeat(200_000)));
