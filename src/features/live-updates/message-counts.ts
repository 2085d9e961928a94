/** Counts the messages of each socket by second. */
export class MessageCounts {
  private readonly counts = new WeakMap<WebSocket, { second: number; count: number }>();

  /** Counts a message; gives how many the socket has sent in this second. */
  add(socket: WebSocket, now: number): number {
    const second = Math.floor(now / 1000);
    const before = this.counts.get(socket);
    const count = before?.second === second ? before.count + 1 : 1;
    this.counts.set(socket, { second, count });
    return count;
  }
}
