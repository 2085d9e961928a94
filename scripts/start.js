// Runs for `npm start`. It is JavaScript, so that an older version of Node can run it and print which version
// is required.
const [major = 0] = process.versions.node.split(".").map(Number);
if (major < 24) {
  console.error(
    `Tidings needs Node 24, which \`npm ci\` installs, but this process runs Node ${process.version}. ` +
      "Use Node 20 or newer, run `npm ci` (with install scripts allowed), then `npm start`.",
  );
  process.exit(1);
}
await import("./start/main.ts");
