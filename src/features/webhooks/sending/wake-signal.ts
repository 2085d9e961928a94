/** Wakes a run that waits: another delivery may leave, or there is more to read. */
export class WakeSignal {
  private awaited = Promise.withResolvers<void>();

  /** Resolves with the next `send`. */
  next(): Promise<void> {
    // A run that the platform has given up ends here, since another has begun.
    this.awaited.resolve();
    this.awaited = Promise.withResolvers();
    return this.awaited.promise;
  }

  send(): void {
    this.awaited.resolve();
  }
}

/** Resolves with the signal, or after `ms`. */
export async function signalWithin(signal: Promise<void>, ms: number): Promise<void> {
  const late = Promise.withResolvers<void>();
  const timer = setTimeout(late.resolve, ms);
  await Promise.race([signal, late.promise]);
  clearTimeout(timer);
}
