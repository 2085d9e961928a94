import { loadApis } from "../../src/entrypoints/features.ts";

/** All endpoints of the API, by base path. */
export const surfaces = await loadApis();

export const publicEndpoints = surfaces.find(({ base }) => base === "/api/v1")?.endpoints ?? [];
