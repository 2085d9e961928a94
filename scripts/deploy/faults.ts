import { StartError } from "../start/settings.ts";

/** If an error can be fixed by the operator, prints only its message, without the stack. Ends with exit code 1. */
export function printFaults(): void {
  process.on("uncaughtException", (error) => {
    const isArgument = String(Reflect.get(error, "code")).startsWith("ERR_PARSE_ARGS");
    console.error(error instanceof StartError || isArgument ? error.message : error);
    process.exit(1);
  });
}
