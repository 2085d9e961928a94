// Runs a command as part of its own process group, and ends the whole group when standard input closes: that is when the
// process that holds the other end stops, and also when it is killed.
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

/** Nothing survives this, the leash included. */
function endGroup(): void {
  process.kill(-process.pid, "SIGKILL");
}
