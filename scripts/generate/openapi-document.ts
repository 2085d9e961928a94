import { randomUUID } from "node:crypto";
import { rm } from "node:fs/promises";
import { resolve } from "node:path";
import { pathToFileURL } from "node:url";
import { build, type Plugin } from "esbuild";

/** The platform's module exists only in workerd. The document needs no instances of its classes. */
const withoutPlatform: Plugin = {
  name: "without-platform",
  setup({ onLoad, onResolve }) {
    onResolve({ filter: /^cloudflare:/ }, ({ path }) => ({ path, namespace: "platform" }));
    onLoad({ filter: /.*/, namespace: "platform" }, () => ({
      contents: "export class DurableObject {} export const env = {}; export const exports = {};",
    }));
  },
};

const entry = `
  import { documentParts } from "./src/documentation/document-parts.ts";
  import { loadSurfaces } from "./src/entrypoints/features.ts";
  import { describeApi } from "./src/http/openapi/openapi.ts";
  export const apiDocument = async () => describeApi(await loadSurfaces(), documentParts);
`;

/** The OpenAPI document from the endpoints' declarations, as in `/openapi.json`, created without a Worker. */
export async function makeOpenApiDocument(): Promise<unknown> {
  const outfile = resolve(`.wrangler/openapi-${randomUUID()}.mjs`);
  await build({
    stdin: { contents: entry, resolveDir: ".", loader: "ts" },
    outfile,
    bundle: true,
    format: "esm",
    platform: "node",
    jsx: "automatic",
    jsxImportSource: "hono/jsx",
    plugins: [withoutPlatform],
    logLevel: "warning",
  });
  try {
    const { apiDocument } = await import(pathToFileURL(outfile).href);
    return apiDocument();
  } finally {
    await rm(outfile);
  }
}
