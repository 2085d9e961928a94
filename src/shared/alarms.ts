import { SECOND_MS } from "./time/durations.ts";

/** An alarm that is later than this counts as lost. The platform rings alarms within milliseconds. */
const LATE_MS = 5 * SECOND_MS;

/** Alarms past due may never ring (workerd #6866, #7330), so an object sets a lost alarm again at its next call. */
export const isAlarmLost = (at: number): boolean => at < Date.now() - LATE_MS;

/** The earliest time at which an alarm rings reliably: an alarm at or before now may be lost, most of all in `alarm()`. */
const earliest = (at: number): number => Math.max(at, Date.now() + 1);

/** Sets an object's alarm to a time (ms since the epoch), or to the next millisecond. Returns the time of the alarm. */
export async function setAlarmAt(
  storage: DurableObjectStorage,
  at: number,
  options?: DurableObjectSetAlarmOptions,
): Promise<number> {
  const time = earliest(at);
  await storage.setAlarm(time, options);
  return time;
}

/** Makes an object's alarm ring at this time or before it. Writes nothing if an earlier alarm is set and not lost. */
export async function setAlarmBy(storage: DurableObjectStorage, at: number): Promise<void> {
  const current = await storage.getAlarm();
  if (current === null || current > earliest(at) || isAlarmLost(current)) await setAlarmAt(storage, at);
}
