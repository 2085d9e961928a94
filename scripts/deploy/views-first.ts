import { createReadStream } from "node:fs";

/**
 * The lines of an export, with views before triggers. D1 exports views last, but a trigger on a view needs the view.
 */
export async function* withViewsFirst(file: string): AsyncGenerator<string> {
  const schema: { triggers: string[]; views: string[] } = { triggers: [], views: [] };
  let part: "rows" | "triggers" | "views" = "rows";
  for await (const line of linesOf(file)) {
    if (line.startsWith("CREATE TRIGGER")) part = "triggers";
    if (line.startsWith("CREATE VIEW")) part = "views";
    if (part === "rows") yield line;
    else schema[part].push(line);
  }
  yield* schema.views;
  yield* schema.triggers;
}

/**
 * Each row of an export is one line, because the export escapes line breaks in texts. `readline` would also split texts
 * at U+2028 and U+2029.
 */
async function* linesOf(file: string): AsyncGenerator<string> {
  let rest = "";
  for await (const chunk of createReadStream(file, "utf8")) {
    const lines = `${rest}${chunk}`.split("\n");
    rest = lines.pop() ?? "";
    for (const line of lines) yield `${line}\n`;
  }
  if (rest !== "") yield `${rest}\n`;
}
