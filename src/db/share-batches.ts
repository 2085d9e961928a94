export type RunBatch<Statement, Result> = (statements: Statement[]) => Promise<Result[]>;

interface Waiting<Statement, Result> {
  statements: Statement[];
  resolve: (results: Result[]) => void;
  reject: (error: unknown) => void;
}

/**
 * Combines batches that are requested at the same time into one round trip. If the combined batch fails, each
 * batch runs again alone, so every batch must be safe to run twice. Create one instance per request, because
 * the runtime cancels work that awaits a promise of another request.
 */
export function shareBatches<Statement, Result>(run: RunBatch<Statement, Result>): RunBatch<Statement, Result> {
  const waiting: Waiting<Statement, Result>[] = [];
  let underWay: Promise<void> | null = null;

  const runAlone = ({ statements, resolve, reject }: Waiting<Statement, Result>) =>
    run(statements).then(resolve, reject);

  async function runTogether(members: Waiting<Statement, Result>[]): Promise<void> {
    const [first, ...others] = members;
    if (first === undefined) return;
    if (others.length === 0) return runAlone(first);
    try {
      const results = await run(members.flatMap(({ statements }) => statements));
      let position = 0;
      for (const { statements, resolve } of members) resolve(results.slice(position, (position += statements.length)));
    } catch {
      await Promise.all(members.map(runAlone));
    }
  }

  async function runWaiting(): Promise<void> {
    await Promise.resolve();
    try {
      while (waiting.length > 0) await runTogether(waiting.splice(0));
    } finally {
      underWay = null;
    }
  }

  return (statements) =>
    new Promise((resolve, reject) => {
      waiting.push({ statements, resolve, reject });
      underWay ??= runWaiting();
    });
}
