// Turns the schemas of the OpenAPI document into trees of fields for the reference. Types and limits become short
// texts.
import type { Schema } from "./document.ts";

export interface Shape {
  label: string;
  description: string | undefined;
  fields: Field[];
}

export interface Field {
  name: string;
  /** A text like `string`, `Contact[]` or `object | null`. */
  type: string;
  required: boolean;
  /**
   * If the field belongs to a choice, the sets of fields from which a request must choose one. For example,
   * `[["to"], ["contact_id"]]` means that the request must contain `to` or `contact_id`. Otherwise, empty.
   */
  alternatives: string[][];
  /** True if a request can contain the fields of two or more sets. */
  areCombinable: boolean;
  description: string | undefined;
  choices: string[];
  /** One phrase per limit or default. */
  limits: string[];
  fields: Field[];
  /** If the value can be one of two or more kinds of objects, one shape per kind. Otherwise, empty. */
  shapes: Shape[];
}

const MAX_DEPTH = 8;

const NO_CHOICE = { alternatives: [], areCombinable: false };

const nameOf = (schema: Schema): string | undefined => schema.$ref?.split("/").at(-1);

export class SchemaReader {
  readonly #schemas: Record<string, Schema>;

  constructor(schemas: Record<string, Schema>) {
    this.#schemas = schemas;
  }

  #dereference(given: Schema): Schema {
    const name = nameOf(given);
    return name === undefined ? given : this.#dereference(this.#schemas[name] ?? {});
  }

  resolve(given: Schema): Schema {
    const own = this.#dereference(given);
    if (own.allOf === undefined) return own;
    const parts = [own, ...own.allOf.map((part) => this.resolve(part))];
    const description = parts.find((part) => part.description !== undefined)?.description;
    return {
      type: parts.find((part) => part.type !== undefined)?.type,
      description,
      properties: Object.assign({}, ...parts.map((part) => part.properties ?? {})),
      required: parts.flatMap((part) => part.required ?? []),
      oneOf: parts.find((part) => part.oneOf !== undefined)?.oneOf,
      examples: parts.find((part) => part.examples !== undefined)?.examples,
    };
  }

  /**
   * Returns the choices of an object. Each `oneOf` or `anyOf` with lists of required fields is a choice, and each list
   * is an alternative.
   */
  #alternativesOf({ required: always = [], ...own }: Schema): Pick<Field, "alternatives" | "areCombinable">[] {
    return [own, ...(own.allOf ?? [])]
      .map(({ oneOf, anyOf = [] }) => ({
        alternatives: (oneOf ?? anyOf).map(({ required = [] }) => required.filter((name) => !always.includes(name))),
        areCombinable: oneOf === undefined,
      }))
      .filter(({ alternatives }) => alternatives.length > 0 && alternatives.every((names) => names.length > 0));
  }

  /**
   * Returns the fields of an object. `above` contains the names of the components that contain this object. They
   * are not expanded again, because a component that contains itself would cause an endless recursion.
   */
  fieldsOf(given: Schema, above: readonly string[] = []): Field[] {
    const { properties = {}, required = [] } = this.resolve(given);
    const choices = this.#alternativesOf(this.#dereference(given));
    return Object.entries(properties).map(([name, property]) => {
      const own = this.resolve(property);
      const inner = this.#withoutNull(property);
      return {
        name,
        type: this.typeOf(property),
        required: required.includes(name),
        ...(choices.find(({ alternatives }) => alternatives.flat().includes(name)) ?? NO_CHOICE),
        description: property.description ?? own.description ?? inner.description,
        choices: (this.#itemsOf(inner).enum ?? []).map((value) => JSON.stringify(value)),
        limits: limitsOf(inner, own.default),
        ...this.inside(property, above),
      };
    });
  }

  /** Returns the content of a value: the fields of one object, or two or more shapes. */
  inside(given: Schema, above: readonly string[] = []): { fields: Field[]; shapes: Shape[] } {
    const name = nameOf(given);
    if (above.length > MAX_DEPTH || (name !== undefined && above.includes(name))) return { fields: [], shapes: [] };
    const within = [...above, name ?? ""];
    const own = this.resolve(given);
    if (own.items !== undefined) return this.inside(own.items, within);
    if (Object.keys(own.properties ?? {}).length > 0) return { fields: this.fieldsOf(own, within), shapes: [] };
    const objects = this.#choicesOf(own).filter((choice) => this.#isObject(choice));
    const [only, ...others] = objects;
    if (only === undefined) {
      const values = typeof own.additionalProperties === "object" ? own.additionalProperties : undefined;
      return values === undefined ? { fields: [], shapes: [] } : this.inside(values, within);
    }
    if (others.length === 0) return this.inside(only, within);
    const shapes = objects.map((choice) => ({
      label: this.#labelOf(choice),
      description: this.resolve(choice).description,
      fields: this.inside(choice, within).fields,
    }));
    return { fields: [], shapes };
  }

  #isObject(choice: Schema): boolean {
    const own = this.resolve(choice);
    if (own.items !== undefined) return this.#isObject(own.items);
    return Object.keys(own.properties ?? {}).length > 0;
  }

  /** Returns the alternatives of a value, including nested ones. Null is left out. */
  #choicesOf(own: Schema): Schema[] {
    return (own.anyOf ?? own.oneOf ?? []).flatMap((choice) => {
      const resolved = this.resolve(choice);
      const isUnion = resolved.anyOf !== undefined || resolved.oneOf !== undefined;
      if (isUnion && resolved.properties === undefined) return this.#choicesOf(resolved);
      return resolved.type === "null" ? [] : [choice];
    });
  }

  /**
   * Returns a label that distinguishes a shape from the others. This is its title or the name of its component. A
   * shape without both gets a label such as `type: "text"` from its constant fields, or else the names of its fields.
   */
  #labelOf(choice: Schema): string {
    const own = this.resolve(choice);
    if (own.items !== undefined) return `${this.#labelOf(own.items)}[]`;
    const constants = Object.entries(own.properties ?? {}).flatMap(([name, property]) => {
      const { const: value, enum: values } = this.resolve(property);
      const isKind = ["type", "format", "provider", "code"].includes(name);
      if (value !== undefined) return [`${name}: ${JSON.stringify(value)}`];
      return isKind && values !== undefined ? [`${name}: ${values.map((one) => JSON.stringify(one)).join(" | ")}`] : [];
    });
    const title = own.title ?? nameOf(choice);
    if (title !== undefined && !/\d$/.test(title)) return title;
    return constants.join(", ") || (own.required ?? Object.keys(own.properties ?? {})).join(", ") || "object";
  }

  #withoutNull(given: Schema): Schema {
    const own = this.resolve(given);
    const choices = this.#choicesOf(own);
    return choices.length === 1 && own.type === undefined ? this.resolve(choices[0] ?? {}) : own;
  }

  #itemsOf(own: Schema): Schema {
    return own.items === undefined ? own : this.#withoutNull(own.items);
  }

  /** Returns the type in a few words: the name of a component, or a JSON type. */
  typeOf(given: Schema): string {
    const own = this.resolve(given);
    const name = nameOf(given);
    if (own.items !== undefined) return this.typeOf(own.items).replace(/^.* \| .*$/, "($&)") + "[]";
    if (own.const !== undefined) return JSON.stringify(own.const);
    if (own.enum !== undefined && own.type !== undefined) return [own.type].flat().join(" | ");
    if (own.properties !== undefined) return name ?? "object";
    const choices = own.anyOf ?? own.oneOf ?? [];
    if (name !== undefined && choices.length > 2) return name;
    if (own.type === "object") {
      const values = typeof own.additionalProperties === "object" ? this.typeOf(own.additionalProperties) : "any";
      return values === "any" ? "object" : `map of ${values}`;
    }
    if (own.type !== undefined) return [own.type].flat().join(" | ");
    const types = [...new Set(choices.flatMap((choice) => this.typeOf(choice).split(" | ")))];
    return types.toSorted((one, other) => Number(one === "null") - Number(other === "null")).join(" | ") || "any";
  }
}

const isBound = (value: number | undefined): value is number => value !== undefined && Math.abs(value) < 2 ** 53 - 1;

function range(min: number | undefined, max: number | undefined, unit: string): string {
  const words = (text: string) => `${text} ${unit}`.trim();
  const formatted = (value: number) => value.toLocaleString("en-US");
  if (isBound(min) && isBound(max)) return words(min === max ? formatted(min) : `${formatted(min)}–${formatted(max)}`);
  if (isBound(max)) return words(`at most ${formatted(max)}`);
  return isBound(min) && min > 0 ? words(`at least ${formatted(min)}`) : "";
}

/** The reference shows short, simple patterns as a limit. The field's description explains all others. */
const isReadablePattern = (pattern: string) => pattern.length <= 40 && !pattern.includes("(?");

function limitsOf(own: Schema, fallback: unknown): string[] {
  const isReadable = own.format === undefined && isReadablePattern(own.pattern ?? "");
  return [
    range(own.minLength, own.maxLength, "characters"),
    range(own.minimum, own.maximum, ""),
    range(own.minItems, own.maxItems, "entries"),
    own.format ?? "",
    isReadable ? (own.pattern ?? "") : "",
    fallback === undefined ? "" : `default ${JSON.stringify(fallback)}`,
  ].filter((limit) => limit !== "");
}

const MAX_NAMED = 4;

/** Returns `required`, a text like `one of to | contact_id | user_id required`, or an empty text. */
export function requirementOf({
  required,
  alternatives,
  areCombinable,
}: Pick<Field, "required" | "alternatives" | "areCombinable">): string {
  if (required) return "required";
  if (alternatives.length === 0) return "";
  const names = alternatives.map((fields) => fields.join(" + "));
  const [first = ""] = names;
  const named = names.length > MAX_NAMED ? [first, "…", ...names.slice(-1)] : names;
  return `${areCombinable ? "at least one of" : "one of"} ${named.join(" | ")} required`;
}
