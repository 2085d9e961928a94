// Runs a Node script, and kills this process group when standard input closes. Standard input is a pipe from the
// parent process, so it closes even if the parent is killed with SIGKILL. Start this file with `detached: true`,
// because otherwise it has no process group of its own to kill.
import { spawn } from "node:child_process";

const GRACE_MS = 5_000;

const child = spawn(process.execPath, process.argv.slice(2), { stdio: ["ignore", "inherit", "inherit"] });
child.on("exit", endGroup);
child.on("error", endGroup);

process.stdin.on("end", stop).on("error", stop).resume();
process.on("SIGTERM", stop).on("SIGINT", stop).on("SIGHUP", stop);

function stop(): void {
  child.kill("SIGTERM");
  setTimeout(endGroup, GRACE_MS);
}

function endGroup(): void {
  process.kill(-process.pid, "SIGKILL");
}
