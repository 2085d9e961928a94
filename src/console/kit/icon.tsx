import { raw } from "hono/html";
import type { FC } from "hono/jsx";
import { iconShapes } from "./icon-shapes.ts";

export type IconName = keyof typeof iconShapes;

export const Icon: FC<{ name: IconName; size?: "small" | "large" }> = ({ name, size }) => (
  <svg class={size === undefined ? "icon" : `icon ${size}`} viewBox="0 0 24 24" aria-hidden="true">
    {raw(iconShapes[name])}
  </svg>
);

function initials(name: string): string {
  const words = name.split(/\s+/).filter((word) => word !== "");
  const ends = words.length > 1 ? [words[0], words.at(-1)] : words.slice(0, 1);
  return ends.map((word = "") => [...word][0]?.toUpperCase() ?? "").join("");
}

export const Avatar: FC<{ name: string; shape?: "square"; size?: "large" }> = ({ name, shape = "", size = "" }) => (
  <span class={["avatar", shape, size].filter((word) => word !== "").join(" ")} aria-hidden="true">
    {initials(name)}
  </span>
);
