import { gzipSync } from "node:zlib";
import { build } from "esbuild";
import { expect, it } from "vitest";

const bundle = async (contents: string) => {
  const { outputFiles } = await build({
    stdin: { contents, resolveDir: "sdk" },
    bundle: true,
    minify: true,
    format: "esm",
    platform: "browser",
    write: false,
  });
  return outputFiles[0]?.contents ?? new Uint8Array();
};

it("The bundled client, with its dependencies, is at most 15 KB when compressed", async () => {
  const code = await bundle('export * from "./src/index.ts"');
  expect(code.length).toBeGreaterThan(10_000);
  expect(gzipSync(code).length).toBeLessThanOrEqual(15 * 1024);
});

it("A bundle that imports only webhooks from the client does not contain the API's operations", async () => {
  const code = await bundle('import { webhooks } from "./src/index.ts"; console.log(webhooks.verify)');
  expect(new TextDecoder().decode(code)).not.toContain("/api/v1");
});
