import { AppError } from "../../shared/errors.ts";

/** Null where the workspace is busy with other counts: pages are shown without the number rather than not at all. */
export async function nullIfBusy<T>(count: Promise<T>): Promise<T | null> {
  try {
    return await count;
  } catch (error) {
    if (error instanceof AppError && (error.code === "rate_limited" || error.code === "unavailable")) return null;
    throw error;
  }
}
