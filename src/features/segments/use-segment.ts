import { fetchRows, type Statement } from "../../db/statement.ts";
import { Memo } from "../../shared/memo.ts";
import type { Ctx } from "../../shared/context.ts";
import type { SegmentRecord } from "./segments.schemas.ts";
import { requireUsable } from "./segments.service.ts";
import { type SegmentRow, selectSegment } from "./segments.sql.ts";

/** Larger segments are not cached, because the cache is in the isolate's memory. */
const MAX_CACHED_CHARACTERS = 20_000;

const cachedSegments = new Memo<SegmentRecord>(200);

class SegmentChanged extends Error {}

/**
 * A cached segment can be outdated, so the first batch that uses it also reads the stored segment and compares the two.
 */
export class SegmentInUse {
  private readonly query: Statement<SegmentRow>;

  constructor(
    private readonly ctx: Ctx,
    readonly record: SegmentRecord,
    private current: SegmentRow[] | null,
  ) {
    this.query = selectSegment(ctx, record.id);
  }

  unconfirmed(): Statement<SegmentRow>[] {
    return this.current === null ? [this.query] : [];
  }

  confirm(rows: SegmentRow[]): void {
    if (this.current !== null) return;
    this.current = rows;
    if (!this.isAsCached(rows)) throw new SegmentChanged();
  }

  async findChange(): Promise<SegmentRow[] | null> {
    this.current ??= await fetchRows(this.ctx.db, this.query);
    return this.isAsCached(this.current) ? null : this.current;
  }

  private isAsCached([row]: SegmentRow[]): boolean {
    return JSON.stringify(row) === JSON.stringify(this.record);
  }
}

/** A cached segment saves a round trip. If it is outdated, `work` runs again with the stored segment. */
export async function useSegment<T>(ctx: Ctx, id: string, work: (segment: SegmentInUse) => Promise<T>): Promise<T> {
  const key = JSON.stringify([ctx.workspace.id, id]);
  const useRows = (rows: SegmentRow[]) => {
    const record = requireUsable(rows);
    if (JSON.stringify(record).length <= MAX_CACHED_CHARACTERS) cachedSegments.set(key, record);
    return work(new SegmentInUse(ctx, record, rows));
  };
  const cached = cachedSegments.get(key);
  if (cached === undefined) return useRows(await fetchRows(ctx.db, selectSegment(ctx, id)));
  const segment = new SegmentInUse(ctx, cached, null);
  const [outcome] = await Promise.allSettled([work(segment)]);
  const changed = await segment.findChange();
  if (changed !== null) return useRows(changed);
  if (outcome.status === "rejected") throw outcome.reason;
  return outcome.value;
}
