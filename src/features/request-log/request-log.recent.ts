import { MINUTE_MS } from "../../shared/time/durations.ts";

/** A request as it ended. Crosses between versions of the Worker: only ever add to it. */
export interface FinishedRequest {
  at: number;
  keyId: string;
  method: string;
  /** The path of its endpoint, with the names of parameters; null where there is none. */
  route: string | null;
  path: string;
  /** The names of the query's parameters. */
  query: string[];
  status: number;
  errorCode: string | null;
  durationMs: number;
  requestId: string;
  /** How many like it followed and are no entries of their own; left out: none. */
  repeats?: number;
}

export interface LoggedRequest extends FinishedRequest {
  /** Counts the requests of the workspace. */
  number: number;
}

export interface RequestFilter {
  keyId?: string | undefined;
  /** `404`, or `4xx`. */
  status?: string | undefined;
  /** A part of the path, or of its route. */
  path?: string | undefined;
}

export const REQUESTS_KEPT = 1000;

const minute = (at: number): number => Math.floor(at / MINUTE_MS);

/**
 * Whether a refusal for too many requests is a repeat of another: of those of a minute, for one endpoint and key, one is kept, so that
 * software that does not wait pushes no other request out of the log.
 */
const isRepeat = (request: FinishedRequest, of: FinishedRequest): boolean =>
  of.errorCode === "rate_limited" &&
  request.keyId === of.keyId &&
  request.method === of.method &&
  request.route === of.route &&
  minute(request.at) === minute(of.at);

/** Counts the request with the one that it repeats; false where it is an entry of its own. */
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

/** The last requests of a workspace, in the order in which they were reported. */
export class RecentRequests {
  constructor(private readonly requests: LoggedRequest[] = []) {}

  /** As they are stored. */
  get all(): readonly LoggedRequest[] {
    return this.requests;
  }

  add(finished: readonly FinishedRequest[]): void {
    let number = this.requests.at(-1)?.number ?? 0;
    for (const request of finished)
      if (!countRepeat(this.requests, request)) this.requests.push({ ...request, number: ++number });
    this.requests.splice(0, this.requests.length - REQUESTS_KEPT);
  }

  /** Newest first, one beyond `limit` where there are more; with numbers below `before`. */
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
