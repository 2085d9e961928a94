import { expect } from "vitest";
import { surfaces } from "./surfaces.ts";
import type { Endpoint } from "../../src/http/endpoint-spec.ts";
import { responseSchema } from "../../src/http/openapi/openapi-operation.ts";
import { errorBody } from "../../src/http/openapi/error-body.ts";
import type { Answer } from "./world.ts";

const declared = surfaces.flatMap(({ base, endpoints }) =>
  endpoints
    .filter(({ fileType }) => fileType === null)
    .map((endpoint) => ({ endpoint, pattern: new RegExp(`^${base}${endpoint.path.replace(/:\w+/g, "[^/]+")}$`) })),
);

const shapes = new Map<Endpoint, ReturnType<typeof responseSchema>>();

/** Every response must match its endpoint's declaration, so that the documentation is correct. */
export function checkShape(method: string, path: string, { status, headers, body }: Answer): void {
  // `/mcp` responds with messages of the MCP protocol.
  if (path === "/mcp" && body.jsonrpc === "2.0") return;
  if (status >= 400) {
    expect(body).toEqual({
      success: false,
      error: { code: expect.any(String), message: expect.any(String), details: body.error?.details },
      request_id: expect.any(String),
    });
    expect(headers.get("Link")).toBe(`</docs/errors#${body.error.code}>; rel="help"`);
    expect(errorBody.safeParse(body).error?.issues ?? [], `${method} ${path}: ${body.error.code}`).toEqual([]);
    return;
  }
  const { pathname } = new URL(path, "http://tidings.test");
  const isAsked = ({ endpoint, pattern }: (typeof declared)[number]) =>
    endpoint.method === method.toLowerCase() && pattern.test(pathname);
  const endpoint = declared.find(isAsked)?.endpoint;
  if (endpoint === undefined) return;
  const shape = shapes.get(endpoint) ?? responseSchema(endpoint);
  shapes.set(endpoint, shape);
  expect(shape.safeParse(body).error?.issues ?? [], `${method} ${path}`).toEqual([]);
  expect(/^"\d+"$/.test(headers.get("ETag") ?? ""), `${method} ${path}: ETag`).toBe(endpoint.returnsETag === true);
}
