// Also logs unhandled rejections, because the runtime does not.
import product from "../../src/index.ts";
import { log } from "../../src/shared/logger.ts";

export * from "../../src/index.ts";

addEventListener("unhandledrejection", ({ reason }) => log.error("unhandled_rejection", { error: reason }));

export default product;
