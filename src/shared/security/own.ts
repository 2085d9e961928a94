/** Names that lead from an object to its prototype. Input with such names is rejected. */
const RESERVED: ReadonlySet<string> = new Set(["__proto__", "constructor", "prototype"]);

export const isReserved = (name: string): boolean => RESERVED.has(name);

export const RESERVED_NAME = "__proto__, constructor and prototype cannot be used as names.";

/** Unlike `in`, excludes inherited properties. Narrows unions. */
export const hasOwn = <T extends object, K extends PropertyKey>(
  value: T,
  name: K,
): value is Extract<T, Record<K, unknown>> => Object.hasOwn(value, name);
