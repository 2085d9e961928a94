/**
 * Assigning a property whose inherited one is frozen throws, so `{}.toString = …` would fail for every object that is keyed
 * by names that others send. With a setter in its place, the assignment makes a property of the object's own.
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

/** From then on nothing can be added to what every object inherits, or changed in it. A second call changes nothing. */
export function freezeObjectPrototype(): void {
  if (Object.isFrozen(Object.prototype)) return;
  for (const [name, property] of Object.entries(Object.getOwnPropertyDescriptors(Object.prototype)))
    keepAssignable(name, property);
  Object.freeze(Object.prototype);
}
