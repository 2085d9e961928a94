import { env } from "cloudflare:workers";
import { override } from "./override.ts";

/** A KV namespace that answers what it held when `hold` was called last, as a place far from the writer does. */
export function laggingCache(): { cache: KVNamespace; hold(): Promise<void> } {
  let held: Map<string, unknown> | null = null;
  const read = (key: string): unknown => (held === null ? env.CACHE.get(key, "json") : (held.get(key) ?? null));
  return {
    cache: override(env.CACHE, { get: read }),
    async hold() {
      const { keys } = await env.CACHE.list();
      held = new Map(
        await Promise.all(keys.map(async ({ name }) => [name, await env.CACHE.get(name, "json")] as const)),
      );
    },
  };
}

/** Limiter objects whose calls go through `before` first: it may throw. */
export function limitersAfter(before: (method: string, id: string) => void): Env["KEY_LIMITER"] {
  return override(env.KEY_LIMITER, {
    getByName: (id: string) => {
      const stub = env.KEY_LIMITER.getByName(id);
      return {
        admit: async (policy: Parameters<typeof stub.admit>[0]) => {
          before("admit", id);
          return stub.admit(policy);
        },
        setPolicy: async (policy: Parameters<typeof stub.admit>[0]) => {
          before("setPolicy", id);
          return stub.setPolicy(policy);
        },
      };
    },
  });
}

/** Pacer objects whose calls go through `before` first: it may throw. */
export function pacersAfter(before: (method: string) => void): Env["CONNECTION_PACER"] {
  return override(env.CONNECTION_PACER, {
    getByName: (id: string) => {
      const stub = env.CONNECTION_PACER.getByName(id);
      return {
        take: async (request: Parameters<typeof stub.take>[0]) => {
          before("take");
          return stub.take(request);
        },
        pause: async (pause: Parameters<typeof stub.pause>[0]) => {
          before("pause");
          return stub.pause(pause);
        },
        run: async (campaign: Parameters<typeof stub.run>[0]) => {
          before("run");
          return stub.run(campaign);
        },
        report: async (report: Parameters<typeof stub.report>[0]) => {
          before("report");
          return stub.report(report);
        },
      };
    },
  });
}

/** An error as the platform throws it. */
export const platformError = (message: string, marks: { retryable?: boolean; overloaded?: boolean }): Error =>
  Object.assign(new Error(message), marks);
