import { isBlank, parseBody } from "../templates/model/render-text.ts";

/** Fills in a person's values. A variable without a value or fallback stays as written, for the member to complete. */
export const fillCannedReply = (body: string, values: ReadonlyMap<string, string | null>): string =>
  parseBody(body)
    .pieces.map((piece) => {
      if (typeof piece === "string") return piece;
      const value = values.get(piece.name);
      return isBlank(value) ? (piece.fallback ?? `{{${piece.name}}}`) : (value ?? "");
    })
    .join("");
