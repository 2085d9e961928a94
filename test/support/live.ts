import { createExecutionContext } from "cloudflare:test";
import worker from "../../src/index.ts";
import type { Visitor } from "./visitor.ts";
import { soon } from "./soon.ts";

// oxlint-disable-next-line typescript/no-explicit-any -- tests look into messages of every type
type Message = any;

export class LivePage {
  readonly messages: Message[] = [];
  closeCode: number | null = null;

  constructor(readonly socket: WebSocket) {
    socket.accept();
    socket.addEventListener("message", ({ data }) => {
      if (data !== "pong") this.messages.push(JSON.parse(String(data)));
    });
    socket.addEventListener("close", ({ code }) => {
      this.closeCode = code;
    });
  }

  heard(type: string, count = 1): Promise<Message[]> {
    return soon(() => {
      const found = this.messages.filter((message) => message.type === type);
      if (found.length < count) throw new Error(`Only ${JSON.stringify(this.messages)} came.`);
      return found;
    });
  }

  async changes(type: string): Promise<Message[]> {
    return soon(() => {
      const changes = this.messages.flatMap((message) => message.changes ?? []);
      if (!changes.some((change) => change.type === type)) throw new Error(`Only ${JSON.stringify(changes)} came.`);
      return changes;
    });
  }

  closed(): Promise<number> {
    return soon(() => {
      if (this.closeCode === null) throw new Error("It is open.");
      return this.closeCode;
    });
  }

  async leave(): Promise<void> {
    this.socket.close();
    await this.closed();
  }

  view(conversationId: string | null, presence = "looking"): void {
    this.socket.send(JSON.stringify({ type: "view", conversation_id: conversationId, presence }));
  }
}

export async function askForSocket(
  { world, cookies }: Visitor,
  workspaceId: string,
  headers: Record<string, string> = {},
): Promise<Response> {
  const cookie = Array.from(cookies, ([name, value]) => `${name}=${value}`).join("; ");
  const request = new Request(`http://tidings.test/console/${workspaceId}/live`, {
    headers: { Upgrade: "websocket", Origin: "http://tidings.test", Cookie: cookie, ...headers },
  });
  return worker.fetch(request, world.env, createExecutionContext());
}

export async function openLivePage(visitor: Visitor, workspaceId: string): Promise<LivePage> {
  const { webSocket, status } = await askForSocket(visitor, workspaceId);
  if (webSocket === null) throw new Error(`There is no socket: ${status}.`);
  const page = new LivePage(webSocket);
  await page.heard("welcome");
  return page;
}
