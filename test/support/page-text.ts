import type { Answer } from "./world.ts";

/** What people read on a page. Angle brackets stay escaped, so that a test sees that they are. */
export const textOf = ({ body }: Answer): string =>
  String(body)
    .replace(/<(script|style|head).*?<\/\1>/gs, "")
    .replace(/<[^>]*>/g, " ")
    .replaceAll("&#39;", "'")
    .replaceAll("&quot;", '"')
    .replace(/\s+/g, " ");
