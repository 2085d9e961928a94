import { loadApis } from "../../src/entrypoints/features.ts";

export const surfaces = await loadApis();

export const publicEndpoints = surfaces.find(({ base }) => base === "/api/v1")?.endpoints ?? [];
