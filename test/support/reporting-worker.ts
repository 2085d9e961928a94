// The runtime does not log unhandled rejections, so this worker does.
import product from "../../src/index.ts";
import { log } from "../../src/shared/logger.ts";

export * from "../../src/index.ts";

addEventListener("unhandledrejection", ({ reason }) => log.error("unhandled_rejection", { error: reason }));

export default product;
