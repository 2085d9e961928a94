import { isBlank, parseBody } from "../templates/model/render-text.ts";

/** The text for a person. What they lack, and has no fallback, stays as it is written, for the member to fill in. */
export const fillCannedReply = (body: string, values: ReadonlyMap<string, string | null>): string =>
  parseBody(body)
    .pieces.map((piece) => {
      if (typeof piece === "string") return piece;
      const value = values.get(piece.name);
      return isBlank(value) ? (piece.fallback ?? `{{${piece.name}}}`) : (value ?? "");
    })
    .join("");
