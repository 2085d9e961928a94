import { buildDocs } from "../../scripts/docs/build.ts";

/** Builds the documentation pages that the Worker's assets contain. This is fast if they exist already. */
export const setup = buildDocs;
