import { globSync, readFileSync } from "node:fs";
import ts from "typescript";
import { expect, test } from "vitest";

/** Returns the first argument of each call of the logger. A file may import the logger under a different name. */
function loggedIn(file: string, text: string): string[] {
  const source = ts.createSourceFile(file, text, ts.ScriptTarget.Latest, true);
  const logger = /import \{[^}]*\blog(?: as (\w+))?\b[^}]*\} from "[^"]*\/logger\.ts"/.exec(text);
  const name = logger === null ? undefined : (logger[1] ?? "log");
  const logged: string[] = [];
  const visit = (node: ts.Node): void => {
    if (
      ts.isCallExpression(node) &&
      ts.isPropertyAccessExpression(node.expression) &&
      node.expression.expression.getText() === name
    ) {
      const [event] = node.arguments;
      logged.push(event !== undefined && ts.isStringLiteral(event) ? event.text : node.getText());
    }
    ts.forEachChild(node, visit);
  };
  visit(source);
  return logged;
}

test("The check for log events also finds events that are logged through a renamed import of the logger", () => {
  const text =
    'import { log as errors } from "./logger.ts";\nerrors.error("a_b", {});\nlog.error("c_d");\nerrors.info(e);';
  expect(loggedIn("a.ts", text)).toEqual(["a_b", "errors.info(e)"]);
});

test("The runbook explains exactly the events that the code logs", () => {
  const files = globSync("src/**/*.{ts,tsx}");
  const logged = new Set(files.flatMap((file) => loggedIn(file, readFileSync(file, "utf8"))));
  expect(logged.size).toBeGreaterThan(50);
  const explained = [...readFileSync("docs/runbook.md", "utf8").matchAll(/^\| `(\w+)`/gm)].map(([, event]) => event);
  expect(explained.toSorted()).toEqual([...logged].toSorted());
});
