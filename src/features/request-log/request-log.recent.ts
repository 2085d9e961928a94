import { MINUTE_MS } from "../../shared/time/durations.ts";

/** Fields can only be added: during a deployment, two versions of the Worker send these objects to each other. */
export interface FinishedRequest {
  at: number;
  keyId: string;
  method: string;
  route: string | null;
  path: string;
  query: string[];
  status: number;
  errorCode: string | null;
  durationMs: number;
  requestId: string;
  repeats?: number;
}

export interface LoggedRequest extends FinishedRequest {
  number: number;
}

export interface RequestFilter {
  keyId?: string | undefined;
  status?: string | undefined;
  path?: string | undefined;
}

export const REQUESTS_KEPT = 1000;

const minute = (at: number): number => Math.floor(at / MINUTE_MS);

/**
 * A client that does not pause after a 429 would push other requests out of the log. The log therefore has one
 * `rate_limited` entry per minute, endpoint and key.
 */
const isRepeat = (request: FinishedRequest, of: FinishedRequest): boolean =>
  of.errorCode === "rate_limited" &&
  request.keyId === of.keyId &&
  request.method === of.method &&
  request.route === of.route &&
  minute(request.at) === minute(of.at);

export function countRepeat(requests: FinishedRequest[], request: FinishedRequest): boolean {
  if (request.errorCode !== "rate_limited") return false;
  const first = requests.findLast((each) => isRepeat(request, each));
  if (first === undefined) return false;
  first.repeats = (first.repeats ?? 0) + 1 + (request.repeats ?? 0);
  return true;
}

function matches({ keyId, status, path, route }: LoggedRequest, filter: RequestFilter): boolean {
  if (filter.keyId !== undefined && filter.keyId !== keyId) return false;
  if (filter.status !== undefined && !String(status).startsWith(filter.status.replace("xx", ""))) return false;
  return filter.path === undefined || path.includes(filter.path) || (route ?? "").includes(filter.path);
}

export class RecentRequests {
  constructor(private readonly requests: LoggedRequest[] = []) {}

  get all(): readonly LoggedRequest[] {
    return this.requests;
  }

  add(finished: readonly FinishedRequest[]): void {
    let number = this.requests.at(-1)?.number ?? 0;
    for (const request of finished)
      if (!countRepeat(this.requests, request)) this.requests.push({ ...request, number: ++number });
    this.requests.splice(0, this.requests.length - REQUESTS_KEPT);
  }

  list(filter: RequestFilter, limit: number, before = Infinity): LoggedRequest[] {
    return this.requests
      .filter((request) => request.number < before && matches(request, filter))
      .toReversed()
      .slice(0, limit + 1);
  }

  find(number: number): LoggedRequest | null {
    return this.requests.find((request) => request.number === number) ?? null;
  }
}
