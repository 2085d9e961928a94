import { createMiddleware } from "hono/factory";
import type { Context, MiddlewareHandler } from "hono";
import type { AppEnv } from "../../http/app-env.ts";
import type { Endpoint } from "../../http/endpoint-spec.ts";
import { isRead } from "../../http/request/forgery.ts";
import { requireWriter } from "../../shared/access/actor.ts";
import { bearerToken, clientNetwork } from "../../http/request/headers.ts";
import { Memo } from "../../shared/memo.ts";
import { type BaseCtx, forWorkspace } from "../../shared/context.ts";
import { type RotatingSecret, sha256Hex } from "../../shared/security/crypto.ts";
import { AppError } from "../../shared/errors.ts";
import type { Quota, Verdict } from "../rate-limits/rate-limits.schemas.ts";
import { admitRequest, giveBackRequest } from "../rate-limits/rate-limits.service.ts";
import { noteRequest } from "../scans/scans.service.ts";
import { findCachedKey, type KeyRecord, loadKey } from "./api-keys.service.ts";
import { checkKey } from "./api-keys.token.ts";

const RECENT_MS = 30_000;

interface RecentKey {
  hash: string;
  record: KeyRecord;
  secret: RotatingSecret;
}

/**
 * Verifying and hashing a key costs CPU time, so we remember recently used keys. Every request also calls the limiter
 * of the key, which reports that a remembered key is outdated.
 */
const recentKeys = new Memo<RecentKey>(1000, RECENT_MS);

const isVerifiedBy = ({ secret }: RecentKey, { keySecret: { current, previous } }: BaseCtx): boolean =>
  secret.current === current && secret.previous === previous;

const rememberKey = (base: BaseCtx, token: string, hash: string, record: KeyRecord): RecentKey =>
  recentKeys.set(token, { hash, record, secret: base.keySecret }, base.now());

const unauthorized = (message: string) => new AppError("unauthorized", message);

function readToken(c: Context<AppEnv>): string {
  const header = c.req.header("Authorization");
  if (header === undefined) throw unauthorized("Send your API key as Authorization: Bearer <key>.");
  const token = bearerToken(header);
  if (token === undefined) throw unauthorized("The Authorization header must be Bearer <key>.");
  return token;
}

async function findKey(c: Context<AppEnv>, base: BaseCtx, token: string): Promise<RecentKey> {
  const recent = recentKeys.get(token, base.now());
  if (recent !== undefined && isVerifiedBy(recent, base)) return recent;
  if (!(await checkKey(token, base.keySecret))) throw unauthorized("The API key is not valid.");
  const hash = await sha256Hex(token);
  const cached = await findCachedKey(base, hash);
  if (cached !== null) return rememberKey(base, token, hash, cached);
  const { success } = await c.env.LOOKUP_LIMITER.limit({ key: clientNetwork(c) });
  if (!success)
    throw new AppError("unavailable", "Too many unknown keys came from this address. Try again shortly.", null, 60);
  return reload(base, token, hash);
}

async function reload(base: BaseCtx, token: string, hash: string): Promise<RecentKey> {
  const record = await loadKey(base, hash);
  if (record === null) throw unauthorized("This API key does not exist.");
  return rememberKey(base, token, hash, record);
}

const seconds = (ms: number) => Math.max(1, Math.ceil(ms / 1000));

function setQuotaHeaders(c: Context<AppEnv>, { requests, windowSeconds, remaining, resetMs }: Quota): void {
  const reset = seconds(resetMs);
  c.header("RateLimit-Policy", `"default";q=${requests};w=${windowSeconds}`);
  c.header("RateLimit", `"default";r=${remaining};t=${reset}`);
  c.header("X-RateLimit-Limit", String(requests));
  c.header("X-RateLimit-Remaining", String(remaining));
  c.header("X-RateLimit-Reset", String(reset));
}

type Admission = Extract<Verdict, { outcome: "admitted" }>;

function requireAdmission(c: Context<AppEnv>, verdict: Verdict): Admission {
  switch (verdict.outcome) {
    case "revoked":
      throw unauthorized("This API key has been revoked.");
    case "expired":
      throw unauthorized("This API key has expired.");
    case "plan_required":
      throw new AppError("plan_required", "The workspace's plan does not include API access.");
    case "limited":
      setQuotaHeaders(c, verdict.quota);
      throw new AppError(
        "rate_limited",
        "Too many requests. Wait for Retry-After seconds.",
        null,
        seconds(verdict.retryAfterMs),
      );
    case "admitted":
      setQuotaHeaders(c, verdict.quota);
      return verdict;
  }
}

export async function identifyKey(c: Context<AppEnv>): Promise<Admission> {
  const base = c.get("base");
  const token = readToken(c);
  const found = await findKey(c, base, token);
  c.set("knownKey", { keyId: found.record.policy.keyId, workspaceId: found.record.workspace.id });
  const admission = requireAdmission(c, await admitRequest(base, found.record.policy));
  const { record } = admission.stale ? await reload(base, token, found.hash) : found;
  const actor = { type: "api_key", id: record.policy.keyId, connectionId: record.connectionId } as const;
  const { readOnly, names = null, policy } = record;
  const { keyId, expiresAt } = policy;
  c.set("caller", { keyId, connectionId: record.connectionId, readOnly, names, expiresAt, quota: admission.quota });
  const ctx = forWorkspace({ ...base, actor }, record.workspace);
  noteRequest(ctx);
  c.set("ctx", ctx);
  return admission;
}

/** Runs before the path is matched, so a write with a read-only key fails even if the path does not exist. */
export function requirePermission(base: string, endpoints: readonly Endpoint[]): MiddlewareHandler<AppEnv> {
  // Read-only keys can send POST requests to these endpoints, because the endpoints only read. If an endpoint writes
  // for some request bodies, its handler checks the permission.
  const reading = endpoints.filter(
    ({ method, tool, isPreview }) => method === "post" && (tool === "read" || isPreview !== undefined),
  );
  const readingPaths = new RegExp(
    `^${base}(?:${reading.map(({ path }) => path.replace(/:\w+/g, "[^/]+")).join("|")})$`,
  );
  return async (c, next) => {
    if (!isRead(c) && !readingPaths.test(c.req.path)) requireWriter(c.var.caller);
    await next();
  };
}

export const authenticate = createMiddleware<AppEnv>(async (c, next) => {
  const { at } = await identifyKey(c);
  await next();
  // A 429 does not count, also if it is not from the limiter.
  if (c.res.status !== 429 || at === undefined) return;
  const { base, caller } = c.var;
  base.waitUntil(giveBackRequest(base, caller.keyId, at));
});
