// A module of its own, so that tests, which wait for what follows each answer, can do without the wait.
import { SECOND_MS } from "../../shared/durations.ts";

/** How long an isolate gathers the requests of a workspace before it reports them together. */
export const GATHER_MS = SECOND_MS;
