import { numbersFrom } from "../faults/chance.ts";
import type { Customer } from "../world.ts";
import type { Accidents } from "./accidents.ts";

/** The last three have a special behavior in the sandbox. */
export const PHONES = [
  "+14155550101",
  "+14155550102",
  "+5511987654321",
  "+551187654321",
  "+14155550104",
  "+14155550002",
  "+14155550003",
  "+14155550005",
];
export const USER_IDS = ["user.a", "user.b", "user.c"];
export const NAMES = ["Ann", "Bo", null];
export const TEXTS = ["Hello", "Hi", "How are you?"];

export class Picker {
  private readonly next: () => number;

  constructor(seed: number) {
    this.next = numbersFrom(seed);
  }

  below(count: number): number {
    return Math.floor(this.next() * count);
  }

  happens(probability: number): boolean {
    return this.next() < probability;
  }

  of<T>(values: readonly T[]): T {
    const value = values[this.below(values.length)];
    if (value === undefined) throw new Error("There is nothing to pick.");
    return value;
  }

  some(entries: Record<string, unknown>, share = 0.4): Record<string, unknown> {
    return Object.fromEntries(Object.entries(entries).filter(() => this.happens(share)));
  }
}

export interface Scene {
  customer: Customer;
  templateId: string;
  accidents: Accidents;
}

export type Act = (scene: Scene, pick: Picker) => Promise<unknown>;
