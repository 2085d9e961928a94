// Calls of the Durable Object that grants turns.
import { type Ctx, hasDisconnected } from "../../shared/context.ts";
import { AppError, askObject } from "../../shared/errors.ts";
import { log } from "../../shared/logger.ts";
import type { TurnDecision, TurnRequest } from "./scans.turn-queue.ts";

/** Batches of messages have their own turns, so that sending never waits for other large work. */
export type TurnKind = "messages" | "shared";

type Turns = ReturnType<Env["SCAN_TURNS"]["getByName"]>;

const nameOfTurns = ({ workspace }: Ctx, kind: TurnKind): string =>
  kind === "messages" ? `${workspace.id} messages` : workspace.id;

/** If the object is unreachable, returns `withoutTurns` for messages, because sending must not depend on it. */
export async function callTurns<T>(
  ctx: Ctx,
  kind: TurnKind,
  withoutTurns: T,
  call: (turns: Turns) => Promise<T>,
): Promise<T> {
  try {
    return await askObject(() => call(ctx.scanTurns.getByName(nameOfTurns(ctx, kind))));
  } catch (error) {
    log.error("scan_turns_unreachable", { requestId: ctx.requestId, workspaceId: ctx.workspace.id, kind, error });
    if (kind === "messages") return withoutTurns;
    throw new AppError("unavailable", "Large operations are busy. Try again shortly.", null, 1);
  }
}

export function requireCaller(ctx: Ctx): void {
  if (hasDisconnected(ctx)) throw new AppError("unavailable", "The caller has disconnected.");
}

export async function takeTurn(ctx: Ctx, kind: TurnKind, request: TurnRequest): Promise<TurnDecision> {
  const deadline = ctx.now() + request.waitMs;
  let decision: TurnDecision = { outcome: "waiting" };
  while (decision.outcome === "waiting") {
    requireCaller(ctx);
    const waitMs = Math.max(0, deadline - ctx.now());
    const take = async (turns: Turns) => turns.take({ ...request, waitMs });
    decision = await callTurns<TurnDecision>(ctx, kind, { outcome: "granted" }, take);
  }
  requireCaller(ctx);
  return decision;
}
