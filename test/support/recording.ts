import { env as bindings } from "cloudflare:workers";
import { HeldQueues } from "./queues.ts";
import { Recording } from "./recorded-statements.ts";
import { World } from "./world.ts";

/** A world that records every statement of its databases, in requests and in jobs. */
export function recordedWorld(queues = new HeldQueues()): { world: World; recording: Recording } {
  const recording = new Recording();
  const databases = { DB: recording.of(bindings.DB), DB_SHARD_1: recording.of(bindings.DB_SHARD_1) };
  return { world: new World(databases, queues), recording };
}
