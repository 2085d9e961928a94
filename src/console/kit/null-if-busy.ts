import { AppError } from "../../shared/errors.ts";

export async function nullIfBusy<T>(count: Promise<T>): Promise<T | null> {
  try {
    return await count;
  } catch (error) {
    if (error instanceof AppError && (error.code === "rate_limited" || error.code === "unavailable")) return null;
    throw error;
  }
}
