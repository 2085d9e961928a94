import type { FC } from "hono/jsx";
import type { ApiKey } from "../../../features/api-keys/api-keys.service.ts";
import type { KeyDay } from "../../../features/request-log/request-log.usage.ts";
import { addCounts, queuedByKey } from "../../../features/statistics/statistics.counts.ts";
import type { DayOfStatistics } from "../../../features/statistics/statistics.service.ts";
import { Section } from "../../kit/feedback.tsx";
import { formatNumber } from "../../kit/format.ts";
import { Table } from "../../kit/tables.tsx";
import { keyNames } from "../requests/requests.tsx";
import { OptionalLink, usePathTo } from "../../kit/page/optional-link.tsx";

interface Row {
  keyId: string;
  today: number;
  requests: number;
  errors: number;
  queued: number;
}

/**
 * The days of the two counts differ: requests are counted per UTC day, and messages per day in the workspace's
 * time zone.
 */
function rowsOf(usage: readonly KeyDay[], days: readonly DayOfStatistics[], today: string): Row[] {
  const queued = new Map(queuedByKey(addCounts(...days.map(({ counts }) => counts))));
  const ids = new Set([...usage.map(({ keyId }) => keyId), ...queued.keys()]);
  const rows = Array.from(ids, (keyId) => {
    const own = usage.filter((each) => each.keyId === keyId);
    const sum = (count: (each: KeyDay) => number) => own.reduce((total, each) => total + count(each), 0);
    return {
      keyId,
      today: sum(({ day, requests }) => (day === today ? requests : 0)),
      requests: sum(({ requests }) => requests),
      errors: sum(({ errors }) => errors),
      queued: queued.get(keyId) ?? 0,
    };
  });
  return rows.toSorted((a, b) => b.requests - a.requests);
}

export const KeyUsageTable: FC<{
  usage: readonly KeyDay[] | null;
  keys: readonly ApiKey[];
  days: readonly DayOfStatistics[];
  today: string;
}> = ({ usage, keys, days, today }) => {
  const address = usePathTo();
  const names = keyNames(keys);
  const rows = rowsOf(usage ?? [], days, today);
  if (rows.length === 0) return null;
  const log = (row: Row, filter = "") => address("/settings/requests", `?key_id=${row.keyId}${filter}`);
  return (
    <Section title="Usage by API key" id="usage">
      <Table
        caption="Requests and messages by API key"
        rows={rows}
        columns={[
          {
            label: "Key",
            cell: (row) => <OptionalLink to={log(row)}>{names.get(row.keyId) ?? row.keyId}</OptionalLink>,
          },
          { label: "Today (UTC)", align: "end", cell: (row) => formatNumber(row.today) },
          { label: "Requests", align: "end", cell: (row) => formatNumber(row.requests) },
          {
            label: "Failed",
            align: "end",
            cell: (row) => <OptionalLink to={log(row, "&status=4xx")}>{formatNumber(row.errors)}</OptionalLink>,
          },
          { label: "Messages queued", align: "end", cell: (row) => formatNumber(row.queued) },
        ]}
      />
    </Section>
  );
};
