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
    for (const request of finished) this.requests.push({ ...request, number: ++number });
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
