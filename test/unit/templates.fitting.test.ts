import { expect, it } from "vitest";
import { missingVariablesError } from "../../src/features/templates/templates.fitting.ts";

it.each([
  [["2"], "Missing value: 2. Send it in variables."],
  [["1", "2", "header.image"], "Missing values: 1, 2, and header.image. Send them in variables and header."],
  [
    ["a", "b", "c", "d", "e", "f", "cards.0.buttons.1"],
    "Missing values: a, b, c, d, and e (and 2 more). Send them in variables and cards.",
  ],
])(
  "The error for a template with missing values for %j lists at most five variables and counts the others",
  (missing, message) => {
    expect(missingVariablesError(missing)).toMatchObject({ message, details: { variables: missing } });
  },
);
