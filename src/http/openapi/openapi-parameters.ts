// Parameters that many operations share, as components.
import * as z from "zod";
import { pascalCase } from "../../shared/text/text.ts";
import { cursorText } from "../fields.ts";

/** `custom-fields` → `custom field`, from the path segment before an id. */
const singular = (part: string) => part.replaceAll("-", " ").replace(/ies$/, "y").replace(/s$/, "");

/** Path parameters: one schema for the id of each kind of record. */
export class PathParameters {
  private readonly ids = new Map<string, z.ZodString>();

  /** `names`: names of records that differ from their path segment. */
  constructor(
    private readonly names: ReadonlyMap<string, string>,
    /** Examples by name of record. */
    private readonly examples: ReadonlyMap<string, string>,
  ) {}

  of(path: string): z.ZodObject {
    const parts = path.split("/");
    return z.object(
      Object.fromEntries(
        parts.flatMap((part, index) =>
          part.startsWith(":") ? [[part.slice(1), this.idOf(parts[index - 1] ?? "")]] : [],
        ),
      ),
    );
  }

  private idOf(part: string): z.ZodString {
    const record = this.names.get(part) ?? singular(part);
    const known = this.ids.get(record);
    if (known !== undefined) return known;
    const example = this.examples.get(record);
    const made = z.string().meta({
      description: `The id of the ${record}.`,
      param: { id: `${pascalCase(record)}Id`, ...(example !== undefined && { example }) },
    });
    this.ids.set(record, made);
    return made;
  }
}

/** Cursors are opaque to callers, so one component serves all lists. */
const cursor = cursorText
  .optional()
  .meta({ description: "`next_cursor` of the previous page.", param: { id: "Cursor" } });

/** The query of an operation, with the parameters that lists share. */
export const queryOf = (query: z.ZodObject): z.ZodObject =>
  Object.hasOwn(query.shape, "cursor") ? z.object({ ...query.shape, cursor }) : query;
