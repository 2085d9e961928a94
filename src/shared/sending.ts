import { log } from "./logger.ts";
import { Memo } from "./memo.ts";

const reportedValues = new Memo<true>(1);

/**
 * Only the value "on" lets messages be sent, so that a misspelled value sends nothing. An unknown value is
 * logged once.
 */
export function isSendingOn({ SENDING: value }: Pick<Env, "SENDING">): boolean {
  if (value === "on") return true;
  if (value !== "off" && reportedValues.get(value) === undefined) {
    log.error("sending_misconfigured", {
      reason: `SENDING is "${value}", so nothing is sent. Set it to "on" or "off".`,
    });
    reportedValues.set(value, true);
  }
  return false;
}

/** As the health check and the status return it. */
export const sendingState = ({ sends }: { sends: boolean }) => (sends ? "on" : "off");
