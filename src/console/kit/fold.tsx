import type { Child, FC, PropsWithChildren } from "hono/jsx";
import { Icon } from "./icon.tsx";

/** A collapsible section of a pane. `id` is unique on the page and keeps the section open across swaps. */
export const Fold: FC<
  PropsWithChildren<{ id: string; title: string; count?: number; action?: Child; closed?: boolean }>
> = ({ id, title, count = 0, action, closed = false, children }) => (
  <details class="fold" id={id} open={!closed}>
    <summary>
      <Icon name="chevron-right" size="small" />
      <h2>{title}</h2>
      {count > 0 && <span class="dim">{count}</span>}
    </summary>
    {action !== undefined && <div class="fold-action">{action}</div>}
    {children}
  </details>
);
