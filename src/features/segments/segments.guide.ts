// The API's documentation of filters. The table is generated from the accepted operators.
import { type FieldKind, opsByKind, ownFields } from "./segments.fields.ts";

const kindTexts: Record<FieldKind, { types: string; values: string }> = {
  text: {
    types: "custom `text`, `url`, `email`",
    values: "Texts of at most 500 characters; case and accents do not matter.",
  },
  phone: {
    types: "custom `phone`",
    values:
      "Numbers in international format; `phone` matches the person, in any spelling. `contains` and `starts_with` take digits, with or without punctuation.",
  },
  id: { types: "", values: "Ids." },
  choice: { types: "custom `select`", values: "Options, exactly as written." },
  country: { types: "custom `country`", values: "ISO 3166-1 codes, like `BR`." },
  number: { types: "custom `number`", values: "Numbers." },
  boolean: { types: "custom `boolean`", values: "`true` or `false`." },
  date: {
    types: "custom `date`",
    values: "Dates, like `2026-01-31`. `within_days: n` is today (UTC) and the n days before.",
  },
  datetime: {
    types: "custom `datetime`",
    values:
      "Times with an offset, or dates, which are whole days in UTC: `gt` is after the day, `eq` within the day. `within_days: n` is the last n times 24 hours.",
  },
  multi_choice: { types: "custom `multi_select`", values: "Lists of options." },
  tags: { types: "", values: "Lists of tag names." },
};

const kindOrder: FieldKind[] = [
  "text",
  "phone",
  "id",
  "choice",
  "country",
  "number",
  "boolean",
  "date",
  "datetime",
  "multi_choice",
  "tags",
];
const code = (names: readonly string[]) => names.map((name) => `\`${name}\``).join(", ");

function tableRow(kind: FieldKind): string {
  const own = Object.entries(ownFields).flatMap(([name, field]) => (field.kind === kind ? [name] : []));
  const fields = [code(own), kindTexts[kind].types].filter((text) => text !== "").join(", ");
  return `| ${fields} | ${code(opsByKind[kind])} | ${kindTexts[kind].values} |`;
}

export const filterGuide = `A segment contains the active contacts that match its filter. A filter has \`match\` (\`all\` or \`any\`) and 1 to 20
\`conditions\` of \`{field, op, value}\`; one of them can be a group \`{match, conditions}\`, whose conditions count too.

| field | op | value |
|---|---|---|
${kindOrder.map(tableRow).join("\n")}

\`in\`, \`not_in\`, \`has_all\`, \`has_any\` and \`has_none\` take a list of 1 to 200 values, \`between\` two values, the lower first
and both included. \`within_days\` takes 1 to 3650, \`is_set\` and \`is_not_set\` no value. Only \`ne\`, \`not_in\`, \`has_none\` and \`is_not_set\`
match unset values. Custom fields are written \`custom_fields.<key>\`.

The filter stores tags and custom fields by id, so renaming a tag has no effect. Unknown tags and fields are an error.`;
