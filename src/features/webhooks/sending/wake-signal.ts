export class WakeSignal {
  private awaited = Promise.withResolvers<void>();

  next(): Promise<void> {
    // The platform can abandon a run without ending it, so an earlier run can still wait for this signal. Resolving the
    // old promise ends its wait.
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
