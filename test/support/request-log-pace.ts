/** Stands in for the second for which requests are gathered, since tests wait for what follows each answer. It still follows the answer. */
export const GATHER_MS = 0;
