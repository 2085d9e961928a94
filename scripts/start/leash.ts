// Runs a command in its own process group, and kills the group when standard input closes. Standard input also
// closes if the parent process is killed.
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
