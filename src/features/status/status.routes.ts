import { operatorApi } from "../../http/audiences.ts";
import { createApi } from "../../http/endpoint.ts";
import { readStatus } from "./read-status.ts";
import { statusView } from "./status.schemas.ts";

export const statusApi = createApi("Operation", operatorApi);

statusApi.get(
  "/status",
  {
    name: "manage.status.get",
    summary: "Get the status of the deployment",
    description:
      "Returns backlogs, dead events and the sizes of the databases. The cron logs the same record each minute as `status`.",
    response: { status: statusView },
  },
  async (ctx) => ({ status: await readStatus(ctx) }),
);
