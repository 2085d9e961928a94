import type { Answer } from "./world.ts";

/** Angle brackets stay escaped, so that a test can check the escaping. */
export const textOf = ({ body }: Answer): string =>
  String(body)
    .replace(/<(script|style|head).*?<\/\1>/gs, "")
    .replace(/<[^>]*>/g, " ")
    .replaceAll("&#39;", "'")
    .replaceAll("&quot;", '"')
    .replace(/\s+/g, " ");
