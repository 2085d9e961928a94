/**
 * `Object.freeze` alone would make `object.toString = …` throw for every object. This setter instead creates the
 * property on `object`, because some objects have keys from input.
 */
function keepAssignable(name: string, { value, writable }: PropertyDescriptor): void {
  if (writable !== true) return;
  // oxlint-disable-next-line no-extend-native -- nothing is added: it is made unchangeable
  Object.defineProperty(Object.prototype, name, {
    get: () => value,
    set(this: unknown, own: unknown) {
      if (this === Object.prototype) throw new TypeError(`Object.prototype.${name} cannot be changed.`);
      if (typeof this !== "function" && (typeof this !== "object" || this === null)) return;
      Object.defineProperty(this, name, { value: own, writable: true, enumerable: true, configurable: true });
    },
    enumerable: false,
    configurable: false,
  });
}

export function freezeObjectPrototype(): void {
  if (Object.isFrozen(Object.prototype)) return;
  for (const [name, property] of Object.entries(Object.getOwnPropertyDescriptors(Object.prototype)))
    keepAssignable(name, property);
  Object.freeze(Object.prototype);
}
