import { sql } from "drizzle-orm";
import { eventChunks } from "../../src/db/schema/events.ts";
import { apiKeys, connectionShards, connections, workspaces } from "../../src/db/schema/index.ts";
import { accounts, members, sessions, users } from "../../src/db/schema/control.ts";
import { createBaseCtx } from "../../src/entrypoints/base-context.ts";
import { loadKey } from "../../src/features/api-keys/api-keys.service.ts";
import { mintKey } from "../../src/features/api-keys/api-keys.token.ts";
import { publishConnection } from "../../src/features/connections/publish-connection.ts";
import { hashPassword } from "../../src/features/members/members.passwords.ts";
import { SESSION_MS } from "../../src/features/members/members.schemas.ts";
import { forgeryToken, sealSession } from "../../src/features/members/members.tokens.ts";
import { syncTemplates } from "../../src/features/templates/sync/sync-templates.ts";
import { type BaseCtx, forWorkspace } from "../../src/shared/context.ts";
import { randomBytes, sha256Hex } from "../../src/shared/security/crypto.ts";
import type { Plan } from "../../src/shared/access/workspace.ts";
import { PASSWORD } from "./visitor.ts";

// HTTP calls would take 19 ms for a workspace and 33 ms for a member, so rows are inserted directly.

async function asOperator<T>(env: Env, work: (base: BaseCtx) => Promise<T>): Promise<T> {
  const later: Promise<unknown>[] = [];
  const waitUntil = (promise: Promise<unknown>) => void later.push(promise);
  const result = await work(createBaseCtx(env, { actor: { type: "operator" }, waitUntil }));
  await Promise.all(later);
  return result;
}

const newConnection = (channel: "official" | "unofficial", createdAt: number) => ({
  name: "Sandbox",
  channel,
  provider: "sandbox" as const,
  status: "active" as const,
  isDefault: true,
  messagesPerSecond: 80,
  config: {},
  secrets: {},
  createdAt,
});

export interface CustomerOptions {
  plan?: Plan;
  channel?: "official" | "unofficial";
}

/** Inserts what the management API would: workspace, connection, key, and their events. */
export function seedCustomer(env: Env, { plan = "growth", channel = "unofficial" }: CustomerOptions) {
  return asOperator(env, async (base) => {
    const createdAt = base.now();
    const [workspaceId, connectionId, keyId] = [base.newId("ws"), base.newId("conn"), base.newId("key")];
    const key = await mintKey(base.keySecret);
    const hash = await sha256Hex(key);
    const shard = sql<number>`(SELECT coalesce(max(number), 0) % ${base.shardCount} FROM workspaces)`;
    const [[workspace]] = await base.control.batch([
      base.control
        .insert(workspaces)
        .values({ id: workspaceId, shard, name: "Acme", plan, createdAt })
        .returning({ id: workspaces.id, number: workspaces.number, shard: workspaces.shard }),
      base.control.insert(connectionShards).values({ connectionId, workspaceId }),
      base.control.insert(apiKeys).values({
        id: keyId,
        workspaceId,
        connectionId,
        hash,
        name: "Test",
        lastFour: key.slice(-4),
        readOnly: false,
        createdAt,
      }),
    ]);
    if (workspace === undefined) throw new Error("The workspace was not stored.");
    const ctx = forWorkspace(base, workspace);
    const row = { id: connectionId, workspaceId, ...newConnection(channel, createdAt) };
    const { name, provider, status } = row;
    const events = [
      [
        "connection.created",
        connectionId,
        {
          name: [null, name],
          channel: [null, channel],
          provider: [null, provider],
          status: [null, status],
          messages_per_second: [null, 80],
          is_default: [null, true],
        },
      ],
      [
        "api_key.created",
        keyId,
        { name: [null, "Test"], connection_id: [null, connectionId], read_only: [null, false] },
      ],
    ];
    const [[connection]] = await ctx.db.batch([
      ctx.db.insert(connections).values(row).returning(),
      ctx.db.insert(eventChunks).values({
        workspaceId,
        first: 1,
        count: events.length,
        at: createdAt,
        actorType: "operator",
        body: JSON.stringify(events),
      }),
    ]);
    if (connection === undefined) throw new Error("The connection was not stored.");
    await Promise.all([loadKey(base, hash), publishConnection(ctx, connection)]);
    if (channel === "official") await syncTemplates(ctx, connectionId);
    return { workspaceId, connectionId, keyId, key };
  });
}

let passwordHash: Promise<string> | undefined;

export function seedMember(
  env: Env,
  member: { workspaceId: string; email: string; role: "owner" | "admin" | "agent"; name: string },
) {
  return asOperator(env, async ({ control, newId, now, keySecret }) => {
    const { workspaceId, email, role, name } = member;
    const [id, token, at] = [newId("usr"), randomBytes(16).toHex(), new Date(now())];
    const times = { createdAt: at, updatedAt: at };
    passwordHash ??= hashPassword(PASSWORD, { fastPasswords: true });
    await control.batch([
      control.insert(users).values({ id, name, email, ...times }),
      control
        .insert(accounts)
        .values({ id, userId: id, accountId: id, providerId: "credential", password: await passwordHash, ...times }),
      control.insert(members).values({ workspaceId, userId: id, role, createdAt: at.getTime() }),
      control
        .insert(sessions)
        .values({ id: token, token, userId: id, expiresAt: new Date(at.getTime() + SESSION_MS), ...times }),
    ]);
    const [cookie, forgery] = await Promise.all([sealSession(token, keySecret), forgeryToken(token, keySecret)]);
    return { userId: id, cookie, token: forgery };
  });
}
