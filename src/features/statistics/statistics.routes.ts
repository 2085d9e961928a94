import * as z from "zod";
import { workspaceApi } from "../../http/audiences.ts";
import { createApi } from "../../http/endpoint.ts";
import { dayView, listStatisticsQuery, presentDay } from "./statistics.schemas.ts";
import { listStatistics } from "./statistics.service.ts";

export const statisticsApi = createApi("Workspaces", workspaceApi);

statisticsApi.get(
  "/workspaces/:ws/statistics",
  {
    name: "manage.statistics.list",
    summary: "List statistics by day",
    description:
      "Returns counts of the workspace's events, which are updated every five minutes. Days without events are omitted. Counts are stored for 400 days.",
    query: listStatisticsQuery,
    response: { days: z.array(dayView) },
  },
  async (ctx, { query: { days } }) => ({ days: (await listStatistics(ctx, days)).map(presentDay) }),
);
