import { log } from "./logger.ts";
import { Memo } from "./memo.ts";

const reportedValues = new Memo<true>(1);

/** True if the operator lets messages and events leave: the variable `SENDING` is "on". Other values than "off" are logged once. */
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
