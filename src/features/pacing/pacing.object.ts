import { DurableObject } from "cloudflare:workers";
import type { Pause, Slot, SlotRequest } from "./pacing.schemas.ts";
import { type SavedSlots, Slots } from "./pacing.slots.ts";

const WRITE_DOWN_MS = 1000;

/**
 * Says when each message of one connection may leave.
 * The slots live in memory and are written down by alarm at most once a second while they change.
 */
export class ConnectionPacer extends DurableObject<Env> {
  private slots = new Slots();
  private dirty = false;

  constructor(state: DurableObjectState, env: Env) {
    super(state, env);
    void state.blockConcurrencyWhile(async () => {
      const saved = await this.ctx.storage.get<SavedSlots>("slots");
      if (saved) this.slots = Slots.restore(saved);
    });
  }

  /** Gives a message that is about to be sent its slot. */
  async take(request: SlotRequest): Promise<Slot> {
    const slot = this.slots.take(Date.now(), request);
    await this.noteChange();
    return slot;
  }

  /** Holds back what goes out, as the provider asked for. */
  async pause(pause: Pause): Promise<void> {
    this.slots.pause(Date.now(), pause);
    await this.noteChange();
  }

  override async alarm(): Promise<void> {
    this.dirty = false;
    await this.ctx.storage.put("slots", this.slots.save(), { allowUnconfirmed: true });
  }

  private async noteChange(): Promise<void> {
    if (this.dirty) return;
    this.dirty = true;
    await this.ctx.storage.setAlarm(Date.now() + WRITE_DOWN_MS, { allowUnconfirmed: true });
  }
}
