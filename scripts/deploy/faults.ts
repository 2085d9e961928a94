import { StartError } from "../start/settings.ts";

/**
 * Makes an uncaught error end the process with exit code 1. If the operator can fix the error, only its message is
 * printed, without the stack.
 */
export function printFaults(): void {
  process.on("uncaughtException", (error) => {
    const isArgument = String(Reflect.get(error, "code")).startsWith("ERR_PARSE_ARGS");
    console.error(error instanceof StartError || isArgument ? error.message : error);
    process.exit(1);
  });
}
