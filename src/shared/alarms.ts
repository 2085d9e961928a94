import { SECOND_MS } from "./time/durations.ts";

/** The platform normally runs alarms within milliseconds. An alarm that is later than this counts as lost. */
const LATE_MS = 5 * SECOND_MS;

/**
 * True if an alarm is lost: the platform might never run an alarm whose time has passed (workerd #6866, #7330). An
 * object sets a lost alarm again at its next call.
 */
export const isAlarmLost = (at: number): boolean => at < Date.now() - LATE_MS;

/** An alarm that is not in the future can be lost, especially if `alarm()` sets it. */
const earliest = (at: number): number => Math.max(at, Date.now() + 1);

/** Sets an object's alarm to `at` (ms since the epoch), or to the next millisecond. Returns the time of the alarm. */
export async function setAlarmAt(
  storage: DurableObjectStorage,
  at: number,
  options?: DurableObjectSetAlarmOptions,
): Promise<number> {
  const time = earliest(at);
  await storage.setAlarm(time, options);
  return time;
}

/** Makes an object's alarm run at `at` or earlier. Writes nothing if an earlier alarm is set and not lost. */
export async function setAlarmBy(storage: DurableObjectStorage, at: number): Promise<void> {
  const current = await storage.getAlarm();
  if (current === null || current > earliest(at) || isAlarmLost(current)) await setAlarmAt(storage, at);
}
