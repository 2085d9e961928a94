import type { TestProject } from "vitest/node";
import { launchService, newStateDir } from "../../process/service.ts";
import { ensureChromium } from "./chromium.ts";

/** Runs `npm start` once with a fresh state for all files. */
export async function setup(project: TestProject): Promise<() => void> {
  const chromium = ensureChromium();
  const { dir, remove } = newStateDir();
  const ends = [remove];
  const endAll = () => {
    for (const end of ends.toReversed()) end();
  };
  try {
    const service = await launchService(dir, { env: { FAST_PASSWORDS: "true" }, whenStarted: (end) => ends.push(end) });
    const { workspaceId, user } = await service.demo();
    project.provide("chromium", chromium);
    project.provide("url", service.url);
    project.provide("demo", { workspaceId, ...user });
    return endAll;
  } catch (error) {
    endAll();
    throw error;
  }
}
