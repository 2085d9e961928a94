// What several pages of campaigns show.
import type { FC } from "hono/jsx";
import { Time } from "../../kit/feedback.tsx";

export const CAMPAIGNS = "/campaigns";

const utc = new Intl.DateTimeFormat("en-GB", { dateStyle: "medium", timeStyle: "short", timeZone: "UTC" });

/** A moment (ms since the epoch) in UTC; where scripts run, in the reader's time zone, with its name and with UTC beside it. */
export const ZonedTime: FC<{ at: number }> = ({ at }) => (
  <>
    <Time at={at} />{" "}
    <span class="help needs-script">
      <span data-zone="">your time</span> · {utc.format(at)} UTC
    </span>
  </>
);

/** A message as people read it. */
export const MessageText: FC<{ text: string }> = ({ text }) => <p class="message-text">{text}</p>;
