import { spawn } from "node:child_process";
import { existsSync, globSync, readFileSync } from "node:fs";
import { delimiter, join } from "node:path";
import { describe, expect, it } from "vitest";
import { guidesOf } from "../../scripts/docs/guides.ts";
import { CloudStandIn } from "../support/providers/cloud.ts";
import { WahaStandIn } from "../support/providers/waha.ts";
import { startProvider } from "./provider.ts";
import { makeStateDir, startService } from "./service.ts";

interface Example {
  commands: string;
  /** The output on the page. Null if the page shows none. `…` matches any text. */
  answer: string | null;
}

/**
 * The blocks of commands on a page, each with the block of output that follows. Blocks in lists are indented. `npm ci`
 * is skipped.
 */
function readExamples(path: string): Example[] {
  const blocks = [...readFileSync(path, "utf8").matchAll(/^ *```(sh|json|text)\n(.*?)^ *```$/gms)];
  return blocks.flatMap(([, language, commands = ""], index) => {
    const [, nextLanguage, next = null] = blocks[index + 1] ?? [];
    const isExample = language === "sh" && !commands.startsWith("npm");
    return isExample ? [{ commands, answer: nextLanguage === "sh" ? null : next }] : [];
  });
}

const withoutSpace = (text: string) => text.replace(/\s+/g, "");

/** A pattern for the expected output. Line breaks do not matter. */
function patternOf(answer: string): RegExp {
  const parts = withoutSpace(answer).split("…");
  return new RegExp(`^${parts.map((part) => RegExp.escape(part)).join(".*?")}$`);
}

const isInstalled = (name: string) =>
  (process.env["PATH"] ?? "").split(delimiter).some((folder) => existsSync(join(folder, name)));

type Shell = "bash" | "zsh";

/** The shells are interactive. In an interactive zsh, `#` does not begin a comment. */
const SHELLS: Record<Shell, string[]> = { bash: ["--noprofile", "--norc", "-i"], zsh: ["-f", "-i"] };

const END_OF_BLOCK = "end of the block";

async function paste(
  shell: Shell,
  blocks: string[],
  env: Record<string, string>,
): Promise<{ printed: string[]; complaints: string }> {
  const child = spawn(shell, SHELLS[shell], {
    env: { ...process.env, PS1: "", PS2: "", HISTFILE: "", ...env },
    stdio: ["pipe", "pipe", "pipe"],
    detached: true, // an interactive shell would otherwise control this terminal
  });
  let output = "";
  let complaints = "";
  child.stdout.on("data", (chunk) => (output += chunk));
  child.stderr.on("data", (chunk) => (complaints += chunk));
  child.stdin.end(blocks.map((block) => `${block}echo; echo ${END_OF_BLOCK}\n`).join(""));
  await new Promise((resolve) => child.on("close", resolve));
  return { printed: output.split(`${END_OF_BLOCK}\n`).slice(0, -1), complaints };
}

/** In the order of the site, because examples use variables of earlier examples. */
const guides = guidesOf(new Map(globSync("docs/guides/*.md").map((path) => [path, readFileSync(path, "utf8")])));

/** Runs the examples of all pages in order. Returns examples whose output differs from the page. */
async function findSurprises(
  paths: string[],
  { shell, env, replace }: { shell: Shell; env: Record<string, string>; replace: [written: string, real: string][] },
) {
  const examples = paths.flatMap(readExamples);
  const blocks = examples.map(({ commands }) =>
    replace.reduce((text, [written, real]) => text.replaceAll(written, real), commands),
  );
  const { printed, complaints } = await paste(shell, blocks, env);
  expect(printed, complaints).toHaveLength(examples.length);
  expect(complaints).not.toMatch(/not found|no matches|parse error|syntax error|TypeError/);
  return examples.flatMap(({ commands, answer }, index) => {
    const output = withoutSpace(printed[index] ?? "");
    const isAsShown = answer === null ? output === "" : patternOf(answer).test(output);
    return isAsShown ? [] : [{ commands, answer, output }];
  });
}

describe.each(["bash", "zsh"] as const)("Examples pasted into %s", (shell) => {
  it.skipIf(!isInstalled(shell))(
    "The examples of README, guides and providers print the output that their pages show",
    async () => {
      const stateDir = makeStateDir();
      const service = await startService(stateDir);
      const env = { PORT: String(service.port), STATE_DIR: stateDir };
      const address: [string, string][] = [["http://localhost:8787", service.url]];
      const cloud = await startProvider(new CloudStandIn());
      const waha = await startProvider(new WahaStandIn());
      const providers: [string, string][] = [
        ['"config": {"phone_number_id"', `"config": {"api_base": "${cloud.url}", "phone_number_id"`],
        ["https://waha.example.com", waha.url],
      ];
      const surprisesOn = (paths: string[], replace = address) => findSurprises(paths, { shell, env, replace });
      expect(await surprisesOn(["README.md"])).toEqual([]);
      expect(await surprisesOn(guides.map(({ file }) => file))).toEqual([]);
      expect(await surprisesOn(["docs/providers.md"], [...address, ...providers])).toEqual([]);
    },
  );
});
