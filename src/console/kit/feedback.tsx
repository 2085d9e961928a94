import type { Child, FC, PropsWithChildren } from "hono/jsx";
import { timeFormat } from "./format.ts";
import { Icon, type IconName } from "./icon.tsx";

export const Banner: FC<PropsWithChildren<{ kind: "error" | "done" | "note" | "warning" }>> = ({ kind, children }) => (
  <div class={`banner ${kind}`} role={kind === "error" ? "alert" : "status"}>
    {children}
  </div>
);

export const EmptyState: FC<PropsWithChildren<{ title: string; icon?: IconName; action?: Child }>> = ({
  title,
  icon,
  action,
  children,
}) => (
  <div class="empty">
    {icon !== undefined && <Icon name={icon} size="large" />}
    <h2>{title}</h2>
    <p>{children}</p>
    {action}
  </div>
);

export type Tone = "plain" | "good" | "warning" | "bad" | "info";

export const Badge: FC<PropsWithChildren<{ tone?: Tone }>> = ({ tone = "plain", children }) => (
  <span class={`badge ${tone}`}>{children}</span>
);

export interface LabelledState {
  label: string;
  tone: Tone;
}

export const StateBadge: FC<{ state: LabelledState }> = ({ state: { label, tone } }) => (
  <Badge tone={tone}>{label}</Badge>
);

export const Section: FC<PropsWithChildren<{ title: string; help?: Child; actions?: Child; id?: string }>> = ({
  title,
  help,
  actions,
  id,
  children,
}) => (
  <section id={id}>
    <div class="heading">
      <h2>{title}</h2>
      {actions !== undefined && <div class="actions">{actions}</div>}
    </div>
    {help !== undefined && <p class="help">{help}</p>}
    {children}
  </section>
);

export const Links: FC<{ links: readonly { text: string; href: string }[] }> = ({ links }) => (
  <>
    {links.map(({ text, href }, index) => (
      <>
        {index > 0 && ", "}
        <a href={href}>{text}</a>
      </>
    ))}
  </>
);

export type Fact = readonly [name: string, value: Child];

export const Facts: FC<{ facts: readonly Fact[] }> = ({ facts }) => (
  <dl class="facts">
    {facts
      .filter(([, value]) => value !== null && value !== undefined)
      .map(([name, value]) => (
        <div>
          <dt>{name}</dt>
          <dd>{value}</dd>
        </div>
      ))}
  </dl>
);

const utc = timeFormat({ dateStyle: "medium", timeStyle: "short" });

export const formatUtc = (at: number): string => `${utc.format(at)} UTC`;

export const LocalTime: FC<{ at: number }> = ({ at }) => (
  <time datetime={new Date(at).toISOString()}>{formatUtc(at)}</time>
);

/** Renders the time. A script replaces the text with the time's age, such as "5 min ago". */
export const Age: FC<{ at: number }> = ({ at }) => (
  <time datetime={new Date(at).toISOString()} data-format="age">
    {formatUtc(at)}
  </time>
);

const utcClock = timeFormat({ timeStyle: "short" });
const utcDayAndClock = timeFormat({ day: "numeric", month: "short", hour: "2-digit", minute: "2-digit" });

export const ClockTime: FC<{ at: number; hasDay?: boolean }> = ({ at, hasDay = false }) => (
  <time datetime={new Date(at).toISOString()} data-format={hasDay ? "short" : "clock"}>
    {(hasDay ? utcDayAndClock : utcClock).format(at)}
  </time>
);

const utcDay = timeFormat({ dateStyle: "medium" });

/**
 * Renders a day such as `2027-01-31` without a time zone, because it is the same day in each. Returns any other
 * text as it is.
 */
export const Day: FC<{ date: string }> = ({ date }) => {
  const at = Date.parse(date);
  return Number.isNaN(at) ? <>{date}</> : <time datetime={date}>{utcDay.format(at)}</time>;
};

export const Fold: FC<PropsWithChildren<{ id: string; title: string; count?: number }>> = ({
  id,
  title,
  count = 0,
  children,
}) => (
  <details class="fold" id={id} open>
    <summary>
      <Icon name="chevron-right" size="small" />
      <h2>{title}</h2>
      {count > 0 && <span class="dim">{count}</span>}
    </summary>
    {children}
  </details>
);
