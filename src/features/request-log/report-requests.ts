import { Memo } from "../../shared/memo.ts";
import type { BaseCtx } from "../../shared/context.ts";
import { SECOND_MS } from "../../shared/time/durations.ts";
import { countRepeat, type FinishedRequest, REQUESTS_KEPT } from "./request-log.recent.ts";
import { type KeyDay, UsageOfDay, usageDay } from "./request-log.usage.ts";

/**
 * The runtime can stop `sendReport` after its request has ended. If a report is later than this, the next report
 * includes its requests.
 */
const GRACE_MS = 5 * SECOND_MS;

interface Report {
  requests: FinishedRequest[];
  beyond: UsageOfDay;
  until: number;
}

const openReports = new Memo<Report>(1000);

interface Isolate extends Pick<BaseCtx, "now" | "wait" | "waitUntil" | "requestLogDelayMs"> {
  report(workspaceId: string, requests: FinishedRequest[], beyond: KeyDay[]): Promise<void>;
}

/** Collects the workspace's requests for `requestLogDelayMs` and then reports them in one call. */
export function gatherRequest(isolate: Isolate, workspaceId: string, request: FinishedRequest): void {
  const open = openReports.get(workspaceId);
  if (open !== undefined && open.until > isolate.now()) {
    if (countRepeat(open.requests, request)) return;
    if (open.requests.length < REQUESTS_KEPT) open.requests.push(request);
    else open.beyond.add(request);
    return;
  }
  const now = isolate.now();
  const requests = [...(open?.requests.splice(0) ?? []), request];
  const beyond = new UsageOfDay(usageDay(now), open?.beyond.all);
  const report = { requests, beyond, until: now + isolate.requestLogDelayMs + GRACE_MS };
  openReports.set(workspaceId, report);
  isolate.waitUntil(sendReport(isolate, workspaceId, report));
}

async function sendReport(isolate: Isolate, workspaceId: string, report: Report): Promise<void> {
  await isolate.wait(isolate.requestLogDelayMs);
  if (openReports.get(workspaceId) === report) openReports.delete(workspaceId);
  const requests = report.requests.splice(0);
  if (requests.length > 0) await isolate.report(workspaceId, requests, report.beyond.all);
}
