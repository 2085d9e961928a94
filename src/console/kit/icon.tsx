import { raw } from "hono/html";
import type { FC } from "hono/jsx";
import { iconShapes } from "./icon-shapes.ts";

export type IconName = keyof typeof iconShapes;

/** An icon the height of its text, in its colour. It only repeats what text beside it says, so screen readers skip it. */
export const Icon: FC<{ name: IconName; size?: "small" | "large" }> = ({ name, size }) => (
  <svg class={size === undefined ? "icon" : `icon ${size}`} viewBox="0 0 24 24" aria-hidden="true">
    {raw(iconShapes[name])}
  </svg>
);
