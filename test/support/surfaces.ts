import { loadApis } from "../../src/entrypoints/features.ts";

/** All endpoints that the API declares, by base path. */
export const surfaces = await loadApis();

export const publicEndpoints = surfaces.find(({ base }) => base === "/api/v1")?.endpoints ?? [];
