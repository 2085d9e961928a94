/** An address with ids in it. An empty id, or one of dots, would name another address. */
export function pathOf(parts: TemplateStringsArray, ...ids: string[]): string {
  const encoded = ids.map((id) => {
    if (typeof id !== "string" || /^\.{0,2}$/.test(id)) throw new TypeError(`${JSON.stringify(id)} is not an id.`);
    return encodeURIComponent(id);
  });
  return String.raw({ raw: parts }, ...encoded);
}
