import { buildDocs } from "../../scripts/docs/build.ts";

export const setup = buildDocs;
