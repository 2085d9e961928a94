import { vi } from "vitest";
import { faultyWorld } from "./storage.ts";
import { skipWaits } from "./waits.ts";

/** A test can lock this customer's database with `faults`. Waits end at once. */
export async function lockableCustomer() {
  const { world, faults } = faultyWorld();
  const customer = await world.customer();
  const errors = vi.spyOn(console, "error").mockReturnValue();
  const { waited } = skipWaits();
  return { world, customer, faults, errors, waited };
}
