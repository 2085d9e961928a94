// Uses workerd's inspector.
import { once } from "node:events";
import { z } from "zod";

const MEGABYTE = 1_048_576;

const collected = z.object({ id: z.literal(1) });
const heapUsage = z.object({
  id: z.literal(2),
  result: z.object({ usedSize: z.number(), backingStorageSize: z.number() }),
});

/** Live memory in MB. */
export interface Memory {
  heap: number;
  buffers: number;
}

/**
 * Collects the isolate's garbage, and returns its live memory. workerd collects only at the end of a request to the
 * isolate, which `wake` sends.
 */
export async function collectGarbage(inspector: URL, isolate: string, wake: () => Promise<unknown>): Promise<Memory> {
  const socket = new WebSocket(new URL(`/${isolate}`, inspector));
  await once(socket, "open");
  const live: Memory[] = [];
  socket.addEventListener("message", ({ data }) => {
    const message: unknown = JSON.parse(data);
    if (collected.safeParse(message).success) socket.send(JSON.stringify({ id: 2, method: "Runtime.getHeapUsage" }));
    const { usedSize = NaN, backingStorageSize = NaN } = heapUsage.safeParse(message).data?.result ?? {};
    if (!isNaN(usedSize)) live.push({ heap: usedSize / MEGABYTE, buffers: backingStorageSize / MEGABYTE });
  });
  socket.send(JSON.stringify({ id: 1, method: "HeapProfiler.collectGarbage" }));
  try {
    for (;;) {
      await wake();
      const [memory] = live;
      if (memory !== undefined) return memory;
    }
  } finally {
    socket.close();
  }
}

const thrown = z.object({
  method: z.literal("Runtime.exceptionThrown"),
  params: z.object({ exceptionDetails: z.object({ text: z.string(), stackTrace: z.unknown().optional() }) }),
});

export type Uncaught = z.infer<typeof thrown>["params"]["exceptionDetails"];

export async function watchUncaught(inspector: URL, report: (uncaught: Uncaught) => void): Promise<void> {
  const socket = new WebSocket(new URL("/core:user:product", inspector));
  await once(socket, "open");
  socket.addEventListener("message", ({ data }) => {
    const { success, data: message } = thrown.safeParse(JSON.parse(data));
    if (success) report(message.params.exceptionDetails);
  });
  socket.send(JSON.stringify({ id: 1, method: "Runtime.enable" }));
}
