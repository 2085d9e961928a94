// The product, which also logs rejections that nobody handles: the runtime keeps silent about them.
import product from "../../src/index.ts";
import { log } from "../../src/shared/logger.ts";

// Its objects.
export * from "../../src/index.ts";

addEventListener("unhandledrejection", ({ reason }) => log.error("unhandled_rejection", { error: reason }));

export default product;
