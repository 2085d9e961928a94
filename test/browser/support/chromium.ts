import { execFileSync } from "node:child_process";
import { accessSync, constants } from "node:fs";
import { delimiter, join } from "node:path";

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

const find = () => NAMES.map(onPath).find((path) => path !== null) ?? null;

/**
 * The path of Chromium: `CHROMIUM`, or Chromium on PATH, or Debian's package. The package is installed if that is
 * permitted.
 */
export function ensureChromium(): string {
  const known = process.env["CHROMIUM"] ?? find();
  if (known !== null) return known;
  if (onPath("apt-get") === null || process.getuid?.() !== 0)
    throw new Error("The browser tests need Chromium: install it, or name one with CHROMIUM=/path/to/chromium.");
  console.log("Installing Chromium …");
  const aptGet = (...args: string[]) =>
    execFileSync("apt-get", args, {
      stdio: ["ignore", "ignore", "inherit"],
      env: { ...process.env, DEBIAN_FRONTEND: "noninteractive" },
    });
  aptGet("update", "-qq");
  aptGet("install", "-y", "-qq", "--no-install-recommends", "chromium", "fonts-liberation");
  const installed = find();
  if (installed === null) throw new Error("apt-get has installed chromium, yet there is none on PATH.");
  return installed;
}
