// The product, which also prints rejections that nobody handles: the runtime keeps silent about them.
import product from "../../src/index.ts";

export * from "../../src/index.ts";

addEventListener("unhandledrejection", ({ reason }) => console.error("Unhandled rejection:", reason));

export default product;
