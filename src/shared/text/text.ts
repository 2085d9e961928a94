export const cut = (text: string, max: number): string =>
  text.length <= max ? text : `${text.slice(0, max - 1).toWellFormed()}…`;

export const quote = (text: string): string => JSON.stringify(cut(text, 100));

/** `custom_field`, `custom field`, `customFields.list` → `CustomField`, `CustomField`, `CustomFieldsList`. */
export const pascalCase = (text: string): string =>
  text.replace(/(?:^|[^a-zA-Z0-9]+)([a-zA-Z0-9])/g, (_, first: string) => first.toUpperCase());

const encoder = new TextEncoder();

export const textBytes = (text: string): number => encoder.encode(text).length;

export const jsonBytes = (value: unknown): number => textBytes(JSON.stringify(value) ?? "");

export const MAX_MESSAGE_CHARACTERS = 4096;
