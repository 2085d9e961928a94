// Pages of the console that receive changes through a socket.
import { createExecutionContext } from "cloudflare:test";
import worker from "../../src/index.ts";
import type { Visitor } from "./visitor.ts";
import { soon } from "./soon.ts";

// oxlint-disable-next-line typescript/no-explicit-any -- tests look into messages of every type
type Message = any;

/** The socket of a page, and the messages that it received. */
export class LivePage {
  readonly messages: Message[] = [];
  /** The code with which the socket was closed. */
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

  /** Resolves with the messages of a type when at least `count` have arrived. */
  heard(type: string, count = 1): Promise<Message[]> {
    return soon(() => {
      const found = this.messages.filter((message) => message.type === type);
      if (found.length < count) throw new Error(`Only ${JSON.stringify(this.messages)} came.`);
      return found;
    });
  }

  /** Resolves with all received changes when one of them has this type. */
  async changes(type: string): Promise<Message[]> {
    return soon(() => {
      const changes = this.messages.flatMap((message) => message.changes ?? []);
      if (!changes.some((change) => change.type === type)) throw new Error(`Only ${JSON.stringify(changes)} came.`);
      return changes;
    });
  }

  /** Resolves with the close code when the socket is closed. */
  closed(): Promise<number> {
    return soon(() => {
      if (this.closeCode === null) throw new Error("It is open.");
      return this.closeCode;
    });
  }

  /** Closes the socket, and waits for the close event. */
  async leave(): Promise<void> {
    this.socket.close();
    await this.closed();
  }

  view(conversationId: string | null, presence = "looking"): void {
    this.socket.send(JSON.stringify({ type: "view", conversation_id: conversationId, presence }));
  }
}

/** Returns the response to a member's request for a socket. */
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

/** A page whose socket has received its first message. */
export async function openLivePage(visitor: Visitor, workspaceId: string): Promise<LivePage> {
  const { webSocket, status } = await askForSocket(visitor, workspaceId);
  if (webSocket === null) throw new Error(`There is no socket: ${status}.`);
  const page = new LivePage(webSocket);
  await page.heard("welcome");
  return page;
}
