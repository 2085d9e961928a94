import { inject } from "vitest";
import { z } from "zod";
import type { Workspace } from "./people.ts";

/** The public API with a key of the workspace's own. Answers that are no success throw. */
export async function apiOf(
  workspace: Workspace,
): Promise<(method: string, path: string, body?: object) => Promise<unknown>> {
  const made = await workspace.manage("POST", "/api-keys", {
    name: "Browser tests",
    connection_id: workspace.connectionId,
  });
  const { key } = z.object({ key: z.string() }).parse(made);
  return async (method, path, body) => {
    const headers = { Authorization: `Bearer ${key}`, "Content-Type": "application/json" };
    const sent = body === undefined ? {} : { body: JSON.stringify(body) };
    const response = await fetch(`${inject("url")}/api/v1${path}`, { method, headers, ...sent });
    const text = await response.text();
    if (!response.ok) throw new Error(`${method} ${path} answered ${response.status}: ${text}`);
    return JSON.parse(text);
  };
}
