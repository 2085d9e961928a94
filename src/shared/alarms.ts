import { SECOND_MS } from "./time/durations.ts";

/** An alarm that is this late is treated as lost, because the platform normally runs an alarm within milliseconds. */
const LATE_MS = 5 * SECOND_MS;

/**
 * The platform may never run an alarm whose time has passed (workerd #6866, #7330). A Durable Object
 * therefore checks this at its next call and sets the alarm again.
 */
export const isAlarmLost = (at: number): boolean => at < Date.now() - LATE_MS;

/**
 * Always in the future, because the platform can lose an alarm for the present or the past, especially if
 * `alarm()` sets it.
 */
const earliest = (at: number): number => Math.max(at, Date.now() + 1);

export async function setAlarmAt(
  storage: DurableObjectStorage,
  at: number,
  options?: DurableObjectSetAlarmOptions,
): Promise<number> {
  const time = earliest(at);
  await storage.setAlarm(time, options);
  return time;
}

export async function setAlarmBy(storage: DurableObjectStorage, at: number): Promise<void> {
  const current = await storage.getAlarm();
  if (current === null || current > earliest(at) || isAlarmLost(current)) await setAlarmAt(storage, at);
}
