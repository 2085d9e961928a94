import { buildDocs } from "../../scripts/docs/build.ts";

/** The pages that the Worker's assets hold; as good as nothing where they are there. */
export const setup = buildDocs;
