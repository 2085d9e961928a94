import type { FC } from "hono/jsx";
import type { ApiKey } from "../../../features/api-keys/api-keys.service.ts";
import type { LoggedRequest } from "../../../features/request-log/request-log.recent.ts";
import { Badge, type Tone } from "../../kit/feedback.tsx";

export const REQUESTS_PATH = "/settings/requests";

const toneOf = (status: number): Tone => (status < 400 ? "good" : status < 500 ? "warning" : "bad");

export const StatusBadge: FC<{ status: number }> = ({ status }) => <Badge tone={toneOf(status)}>{status}</Badge>;

/** `GET /api/v1/contacts?limit&search`: the log stores only parameter names. */
export const RequestLine: FC<{ request: LoggedRequest }> = ({ request: { method, path, query } }) => (
  <>
    <strong>{method}</strong> <code>{path + (query.length > 0 ? `?${query.join("&")}` : "")}</code>
  </>
);

/** The key's name, or its ID if the key is not among the latest. */
export const keyNames = (keys: readonly ApiKey[]): ReadonlyMap<string, string> =>
  new Map(keys.map(({ id, name, lastFour }) => [id, `${name} (${lastFour})`]));
