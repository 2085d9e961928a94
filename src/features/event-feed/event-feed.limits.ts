// How long requests wait for events, and how many may wait. Pure.
import { SECOND_MS } from "../../shared/time/durations.ts";

/** The longest wait, in seconds. */
export const MAX_WAIT_SECONDS = 20;
export const MAX_WAIT_MS = MAX_WAIT_SECONDS * SECOND_MS;

/** The most waiting requests of one key or member. */
export const MAX_WAITING = 5;
/** The most waiting requests of a workspace. */
export const MAX_WAITING_IN_WORKSPACE = 500;

/** A request that never left the feed is removed after the longest wait plus the time to read. */
export const PLACE_MS = MAX_WAIT_MS + 10 * SECOND_MS;
