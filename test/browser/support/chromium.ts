import { spawnSync } from "node:child_process";
import { accessSync, constants, existsSync } from "node:fs";
import { basename, delimiter, join } from "node:path";

const NAMES = ["chromium", "chromium-browser", "google-chrome"];

function onPath(name: string): string | null {
  for (const folder of (process.env["PATH"] ?? "").split(delimiter)) {
    try {
      const path = join(folder, name);
      accessSync(path, constants.X_OK);
      return path;
    } catch {
      // Chromium is not in this folder.
    }
  }
  return null;
}

/** Chromium without windows, from Debian's package of this name. It needs a third less CPU time. */
const SHELL = "/usr/lib/chromium/chromium-headless-shell";

const find = (): string | null =>
  existsSync(SHELL) ? SHELL : (NAMES.map(onPath).find((path) => path !== null) ?? null);

/** Installs the shell if that is permitted. Does nothing where no such package exists. */
function install(): void {
  if (onPath("apt-get") === null || process.getuid?.() !== 0) return;
  console.log("Installing Chromium …");
  const aptGet = (...args: string[]) =>
    spawnSync("apt-get", args, {
      stdio: ["ignore", "ignore", "inherit"],
      env: { ...process.env, DEBIAN_FRONTEND: "noninteractive" },
    });
  aptGet("update", "-qq");
  aptGet("install", "-y", "-qq", "--no-install-recommends", basename(SHELL), "fonts-liberation");
}

/**
 * The path of Chromium: `CHROMIUM`, or Debian's headless shell, or a browser on PATH. Installs the shell if there is no
 * browser, and in CI.
 */
export function ensureChromium(): string {
  const named = process.env["CHROMIUM"];
  if (named !== undefined) return named;
  if (find() === null || (process.env["CI"] && !existsSync(SHELL))) install();
  const found = find();
  if (found === null)
    throw new Error("The browser tests need Chromium: install it, or name one with CHROMIUM=/path/to/chromium.");
  return found;
}
