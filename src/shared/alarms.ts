import { SECOND_MS } from "./time/durations.ts";

/** After this time, an alarm is treated as lost. The platform normally runs an alarm within milliseconds. */
const LATE_MS = 5 * SECOND_MS;

/**
 * The platform may never run an alarm whose time has passed (workerd #6866, #7330). A Durable Object therefore
 * checks this at each call and sets a lost alarm again.
 */
export const isAlarmLost = (at: number): boolean => at < Date.now() - LATE_MS;

/**
 * Returns a time in the future, because the platform can lose an alarm that is set for the present or the past,
 * especially inside `alarm()`.
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
