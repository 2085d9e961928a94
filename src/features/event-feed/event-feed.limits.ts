// How long requests wait for events, and how many. Pure.
import { SECOND_MS } from "../../shared/time/durations.ts";

/** The longest wait, in seconds. */
export const MAX_WAIT_SECONDS = 20;
export const MAX_WAIT_MS = MAX_WAIT_SECONDS * SECOND_MS;

/** Requests of one caller, a key or a member, that wait at a time. */
export const MAX_WAITING = 5;
/** Requests of a workspace that wait at a time. */
export const MAX_WAITING_IN_WORKSPACE = 500;

/** A place that was not given back is free after the longest wait and what reading takes besides. */
export const PLACE_MS = MAX_WAIT_MS + 10 * SECOND_MS;
