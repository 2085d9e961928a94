import { AppError } from "../../shared/errors.ts";

/** Null if other counts of the workspace are running. The page then renders without the number. */
export async function nullIfBusy<T>(count: Promise<T>): Promise<T | null> {
  try {
    return await count;
  } catch (error) {
    if (error instanceof AppError && (error.code === "rate_limited" || error.code === "unavailable")) return null;
    throw error;
  }
}
