import type { BaseCtx, Ctx } from "../../shared/context.ts";
import { DAY_MS } from "../../shared/time/durations.ts";
import { AppError, askObject, notFound } from "../../shared/errors.ts";
import { log } from "../../shared/logger.ts";
import type { FinishedRequest, LoggedRequest, RequestFilter } from "./request-log.recent.ts";
import { type KeyDay, usageDay } from "./request-log.usage.ts";

type RequestLogStub = ReturnType<Env["REQUEST_LOG"]["getByName"]>;

async function askLog<T>(ctx: Ctx, ask: (requestLog: RequestLogStub) => Promise<T>): Promise<T> {
  try {
    return await askObject(() => ask(ctx.requestLogs.getByName(ctx.workspace.id)));
  } catch (error) {
    log.error("request_log_unreachable", { requestId: ctx.requestId, error });
    throw new AppError("unavailable", "The request log is busy. Try again shortly.", null, 1);
  }
}

export const recordRequests =
  ({ requestLogs }: BaseCtx) =>
  (workspaceId: string, requests: FinishedRequest[], beyond: KeyDay[]): Promise<void> =>
    askObject(async () => requestLogs.getByName(workspaceId).add(requests, beyond));

export const listRequests = (
  ctx: Ctx,
  { filter, limit, before }: { filter: RequestFilter; limit: number; before: number | undefined },
) => askLog(ctx, async (requestLog) => requestLog.list(filter, limit, before));

export async function getRequest(ctx: Ctx, number: number): Promise<LoggedRequest> {
  const found = await askLog(ctx, async (requestLog) => requestLog.find(number));
  if (found === null) throw notFound("request in the log");
  return found;
}

export const countRequests = (ctx: Ctx, days: number): Promise<KeyDay[]> =>
  askLog(ctx, async (requestLog) => requestLog.usage(usageDay(ctx.now() - (days - 1) * DAY_MS)));
