import { buildDocs } from "../../scripts/docs/build.ts";

/** Needs little time if the pages already exist. */
export const setup = buildDocs;
