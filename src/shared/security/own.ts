/** Names that reach the prototype of an object. Input with such a name is rejected. */
const RESERVED: ReadonlySet<string> = new Set(["__proto__", "constructor", "prototype"]);

export const isReserved = (name: string): boolean => RESERVED.has(name);

export const RESERVED_NAME = "__proto__, constructor and prototype cannot be used as names.";

/** Unlike the operator `in`, does not find inherited properties. */
export const hasOwn = <T extends object, K extends PropertyKey>(
  value: T,
  name: K,
): value is Extract<T, Record<K, unknown>> => Object.hasOwn(value, name);
