/** Marks the link of the visible section, under "On this page" and in the navigation. */
export function followReading(): void {
  const links = new Map<Element, HTMLAnchorElement>();
  for (const link of document.querySelectorAll<HTMLAnchorElement>(".on-this-page a, .operations a")) {
    const target = document.getElementById(decodeURIComponent(link.hash.slice(1)));
    if (target !== null) links.set(target, link);
  }
  let current: HTMLAnchorElement | undefined;
  const mark = () => {
    const above = [...links.keys()].filter((target) => target.getBoundingClientRect().top < innerHeight / 3);
    const next = links.get(above.at(-1) ?? document.body);
    if (next === current) return;
    current?.classList.remove("reading");
    next?.classList.add("reading");
    current = next;
  };
  addEventListener("scroll", mark, { passive: true });
  mark();
}
