/** Names that lead from an object to what all objects share. Nothing a caller sends may be called so. */
const RESERVED: ReadonlySet<string> = new Set(["__proto__", "constructor", "prototype"]);

export const isReserved = (name: string): boolean => RESERVED.has(name);

export const RESERVED_NAME = "__proto__, constructor and prototype cannot be used as names.";

/** Whether an object has a property itself, which `in` would also say of inherited ones. Tells members of a union apart. */
export const hasOwn = <T extends object, K extends PropertyKey>(
  value: T,
  name: K,
): value is Extract<T, Record<K, unknown>> => Object.hasOwn(value, name);
