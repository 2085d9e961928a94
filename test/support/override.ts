type Methods = Record<string, (...args: never[]) => unknown>;

export function override<T extends object>(target: T, methods: Methods): T {
  return new Proxy(target, {
    get(object, name) {
      if (typeof name === "string" && Object.hasOwn(methods, name)) return methods[name];
      const value: unknown = Reflect.get(object, name);
      return typeof value === "function" ? value.bind(object) : value;
    },
  });
}
