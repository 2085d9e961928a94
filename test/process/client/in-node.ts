import { callEveryOperation } from "./operations.ts";

process.stdout.write(JSON.stringify(await callEveryOperation(JSON.parse(process.argv[2] ?? ""))));
