import type { FC } from "hono/jsx";

/** `AO` for Ada Okafor, `+` for a number. */
function initials(name: string): string {
  const words = name.split(/\s+/).filter((word) => word !== "");
  const ends = words.length > 1 ? [words[0], words.at(-1)] : words.slice(0, 1);
  return ends.map((word = "") => [...word][0]?.toUpperCase() ?? "").join("");
}

/** Initials in a circle, or in a square if the sender is not a person. Decorative: the name is next to it. */
export const Avatar: FC<{ name: string; shape?: "square"; size?: "large" }> = ({ name, shape = "", size = "" }) => (
  <span class={["avatar", shape, size].filter((word) => word !== "").join(" ")} aria-hidden="true">
    {initials(name)}
  </span>
);
