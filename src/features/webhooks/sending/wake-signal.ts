export class WakeSignal {
  private awaited = Promise.withResolvers<void>();

  next(): Promise<void> {
    // An earlier run that the platform has abandoned can still wait for the old promise. Resolving it lets that run end.
    this.awaited.resolve();
    this.awaited = Promise.withResolvers();
    return this.awaited.promise;
  }

  send(): void {
    this.awaited.resolve();
  }
}

export async function signalWithin(signal: Promise<void>, ms: number): Promise<void> {
  const late = Promise.withResolvers<void>();
  const timer = setTimeout(late.resolve, ms);
  await Promise.race([signal, late.promise]);
  clearTimeout(timer);
}
