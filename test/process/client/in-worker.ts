import { callEveryOperation } from "./operations.ts";

export default {
  async fetch(request: Request): Promise<Response> {
    try {
      return Response.json(await callEveryOperation(JSON.parse(await request.text())));
    } catch (error) {
      return new Response(error instanceof Error ? error.stack : "", { status: 500 });
    }
  },
};
