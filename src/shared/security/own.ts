/** Input with these names is rejected, because they would reach an object's prototype. */
const RESERVED: ReadonlySet<string> = new Set(["__proto__", "constructor", "prototype"]);

export const isReserved = (name: string): boolean => RESERVED.has(name);

export const RESERVED_NAME = "__proto__, constructor and prototype cannot be used as names.";

/** Unlike `in`, ignores inherited properties. */
export const hasOwn = <T extends object, K extends PropertyKey>(
  value: T,
  name: K,
): value is Extract<T, Record<K, unknown>> => Object.hasOwn(value, name);
