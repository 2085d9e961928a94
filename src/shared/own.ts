/** Names that lead from an object to what all objects share. Nothing a caller sends may be called so. */
const RESERVED: ReadonlySet<string> = new Set(["__proto__", "constructor", "prototype"]);

export const isReserved = (name: string): boolean => RESERVED.has(name);

export const RESERVED_NAME = "__proto__, constructor and prototype cannot be used as names.";

/** True where an object has a property itself; `in` would count inherited ones too. Distinguishes members of a union. */
export const hasOwn = <T extends object, K extends PropertyKey>(
  value: T,
  name: K,
): value is Extract<T, Record<K, unknown>> => Object.hasOwn(value, name);
