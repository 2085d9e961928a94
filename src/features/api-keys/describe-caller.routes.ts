import { callerApi } from "../../http/audiences.ts";
import { createApi } from "../../http/endpoint.ts";
import { callerView, presentCaller } from "./api-keys.schemas.ts";
import { describeCaller } from "./api-keys.service.ts";

export const callerEndpoints = createApi("This key", callerApi);

callerEndpoints.get(
  "/me",
  {
    name: "me.get",
    tool: "read",
    summary: "Get the current key",
    description: "Returns the key's workspace, connection and permissions, and how much of its rate limit is used.",
    response: callerView,
  },
  async (ctx) => presentCaller(ctx, await describeCaller(ctx, ctx.caller)),
);
