import { env } from "cloudflare:workers";
import { override } from "./override.ts";

/** `get` returns values as they were at the last `hold`, like KV in a location that new writes have not reached. */
export function laggingCache(): { cache: KVNamespace; hold(): void } {
  let before: Map<string, unknown> | null = null;
  const keep = async (key: string) => {
    if (before?.has(key) === false) before.set(key, await env.CACHE.get(key, "json"));
  };
  return {
    cache: override(env.CACHE, {
      get: (key: string) => (before?.has(key) === true ? before.get(key) : env.CACHE.get(key, "json")),
      async put(key: string, ...value: [string, KVNamespacePutOptions?]) {
        await keep(key);
        await env.CACHE.put(key, ...value);
      },
      async delete(key: string) {
        await keep(key);
        await env.CACHE.delete(key);
      },
    }),
    hold() {
      before = new Map();
    },
  };
}

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

export const platformError = (message: string, marks: { retryable?: boolean; overloaded?: boolean }): Error =>
  Object.assign(new Error(message), marks);

/** Status inboxes that never accept a status. */
export const unreachableInboxes = (): Env["STATUS_INBOX"] =>
  override(env.STATUS_INBOX, {
    getByName: () => ({ accept: () => Promise.reject(new Error("The object cannot be reached.")) }),
  });
