import { raw } from "hono/html";
import type { FC } from "hono/jsx";
import { iconShapes } from "./icon-shapes.ts";

export type IconName = keyof typeof iconShapes;

export const DrawnIcon: FC<{ shape: string; size?: "small" | "large" | undefined }> = ({ shape, size }) => (
  <svg class={size === undefined ? "icon" : `icon ${size}`} viewBox="0 0 24 24" aria-hidden="true">
    {raw(shape)}
  </svg>
);

/** An icon as tall as its text. Decorative, so screen readers skip it. */
export const Icon: FC<{ name: IconName; size?: "small" | "large" }> = ({ name, size }) => (
  <DrawnIcon shape={iconShapes[name]} size={size} />
);
