import { log } from "./logger.ts";
import { Memo } from "./memo.ts";

const reportedValues = new Memo<true>(1);

/**
 * Only the exact value "on" turns sending on, so a misspelled value never sends messages. Any value except "on"
 * and "off" is logged once.
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

export const sendingState = ({ sends }: { sends: boolean }) => (sends ? "on" : "off");
