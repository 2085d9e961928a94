type Fields = Record<string, unknown>;

function describe(value: unknown): unknown {
  return value instanceof Error ? { message: value.message, stack: value.stack, cause: describe(value.cause) } : value;
}

function write(level: "info" | "error", event: string, fields: Fields) {
  const line = JSON.stringify({ level, event, ...fields }, (_, value: unknown) => describe(value));
  if (level === "error") console.error(line);
  else console.info(line);
}

/** One JSON line an event. Callers pass ids and causes, never secrets or message texts. */
export const log = {
  info: (event: string, fields: Fields = {}) => write("info", event, fields),
  error: (event: string, fields: Fields = {}) => write("error", event, fields),
};
