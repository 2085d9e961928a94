import type { FC } from "hono/jsx";
import { LocalTime } from "../../kit/feedback.tsx";

export const CAMPAIGNS = "/campaigns";

const utc = new Intl.DateTimeFormat("en-GB", { dateStyle: "medium", timeStyle: "short", timeZone: "UTC" });

/** A time (ms since the epoch) in UTC. Scripts show the reader's time zone next to it. */
export const ZonedTime: FC<{ at: number }> = ({ at }) => (
  <>
    <LocalTime at={at} />{" "}
    <span class="help needs-script in-utc">
      <span data-zone="">your time</span> · {utc.format(at)} UTC
    </span>
  </>
);
