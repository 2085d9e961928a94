/** Counts what a socket sends, a second at a time. */
export class MessageCounts {
  private readonly counts = new WeakMap<WebSocket, { second: number; count: number }>();

  /** How many the socket has sent in this second, with this one. */
  add(socket: WebSocket, now: number): number {
    const second = Math.floor(now / 1000);
    const before = this.counts.get(socket);
    const count = before?.second === second ? before.count + 1 : 1;
    this.counts.set(socket, { second, count });
    return count;
  }
}
