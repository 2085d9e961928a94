import { AppError } from "../../shared/errors.ts";

/** The answer, or null where the workspace is busy with others: a page is shown without the number rather than not at all. */
export async function unlessBusy<T>(answer: Promise<T>): Promise<T | null> {
  try {
    return await answer;
  } catch (error) {
    if (error instanceof AppError && (error.code === "rate_limited" || error.code === "unavailable")) return null;
    throw error;
  }
}
