import { createMiddleware } from "hono/factory";
import type { Context } from "hono";
import type { AppEnv } from "../../http/app-env.ts";
import { bearerToken } from "../../http/bearer-token.ts";
import { clientNetwork } from "../../http/client-network.ts";
import { isRead } from "../../http/forgery.ts";
import { type BaseCtx, forWorkspace } from "../../shared/context.ts";
import { sha256Hex } from "../../shared/crypto.ts";
import { AppError } from "../../shared/errors.ts";
import type { Quota, Verdict } from "../rate-limits/rate-limits.schemas.ts";
import { admitRequest } from "../rate-limits/rate-limits.service.ts";
import { findCachedKey, type KeyRecord, loadKey } from "./api-keys.service.ts";
import { checkKey } from "./api-keys.token.ts";

const CACHED_MS = 30_000;
const CACHED_KEYS = 1000;
/** Calls with a body that change nothing. */
const READING_PATHS = new Set(["/api/v1/campaigns/preview"]);

/** Records this isolate has seen lately, by hash. The limiter notices when one is out of date. */
const cachedKeys = new Map<string, { record: KeyRecord; until: number }>();

function cacheKeyRecord(hash: string, record: KeyRecord, now: number): KeyRecord {
  const oldest = cachedKeys.keys().next();
  if (cachedKeys.size >= CACHED_KEYS && !oldest.done) cachedKeys.delete(oldest.value);
  cachedKeys.set(hash, { record, until: now + CACHED_MS });
  return record;
}

const unauthorized = (message: string) => new AppError("unauthorized", message);

async function tokenHash(c: Context<AppEnv>): Promise<string> {
  const header = c.req.header("Authorization");
  if (header === undefined) throw unauthorized("Send your API key as Authorization: Bearer <key>.");
  const token = bearerToken(header);
  if (token === undefined) throw unauthorized("The Authorization header is malformed; it reads Bearer <key>.");
  if (!(await checkKey(token, c.var.base.keySecret))) throw unauthorized("This is not a valid API key.");
  return sha256Hex(token);
}

async function findKey(c: Context<AppEnv>, hash: string): Promise<KeyRecord> {
  const { base } = c.var;
  const now = base.now();
  const known = cachedKeys.get(hash);
  if (known !== undefined && known.until > now) return known.record;
  const cached = await findCachedKey(base, hash);
  if (cached !== null) return cacheKeyRecord(hash, cached, now);
  const { success } = await c.env.LOOKUP_LIMITER.limit({ key: clientNetwork(c) });
  if (!success) throw new AppError("unavailable", "Too many lookups from this address. Try again shortly.", null, 60);
  return reload(base, hash, now);
}

async function reload(base: BaseCtx, hash: string, now: number): Promise<KeyRecord> {
  const record = await loadKey(base, hash);
  if (record === null) throw unauthorized("This API key is unknown.");
  return cacheKeyRecord(hash, record, now);
}

const seconds = (ms: number) => Math.max(1, Math.ceil(ms / 1000));

function showQuota(c: Context<AppEnv>, { requests, windowSeconds, remaining, resetMs }: Quota): void {
  const reset = seconds(resetMs);
  c.header("RateLimit-Policy", `"default";q=${requests};w=${windowSeconds}`);
  c.header("RateLimit", `"default";r=${remaining};t=${reset}`);
  c.header("X-RateLimit-Limit", String(requests));
  c.header("X-RateLimit-Remaining", String(remaining));
  c.header("X-RateLimit-Reset", String(reset));
}

function enforce(c: Context<AppEnv>, verdict: Verdict): { stale: boolean } {
  switch (verdict.outcome) {
    case "revoked":
      throw unauthorized("This API key has been revoked.");
    case "expired":
      throw unauthorized("This API key has expired.");
    case "plan_required":
      throw new AppError("plan_required", "The workspace's plan does not include API access.");
    case "limited":
      showQuota(c, verdict.quota);
      throw new AppError(
        "rate_limited",
        "Too many requests. Wait for Retry-After seconds.",
        null,
        seconds(verdict.retryAfterMs),
      );
    case "admitted":
      showQuota(c, verdict.quota);
      return verdict;
  }
}

/** 401, 402, 429, 403, in this order; then the request acts for the key's workspace. */
export const authenticate = createMiddleware<AppEnv>(async (c, next) => {
  const { base } = c.var;
  const hash = await tokenHash(c);
  let record = await findKey(c, hash);
  const { stale } = enforce(c, await admitRequest(base, record.policy));
  if (stale) record = await reload(base, hash, base.now());
  if (record.readOnly && !isRead(c) && !READING_PATHS.has(c.req.path)) {
    throw new AppError("forbidden", "This key may only read. Use a key without read_only.");
  }
  const actor = { type: "api_key", id: record.policy.keyId, connectionId: record.connectionId } as const;
  c.set("ctx", forWorkspace({ ...base, actor }, record.workspace));
  await next();
});
