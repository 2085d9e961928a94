// `npm start`. In JavaScript, so that an older Node can run this file and print the required version.
const [major = 0] = process.versions.node.split(".").map(Number);
if (major < 24) {
  console.error(
    `Tidings needs Node 24, which \`npm ci\` installs, but this process runs Node ${process.version}. ` +
      "Use Node 20 or newer, run `npm ci` (with install scripts allowed), then `npm start`.",
  );
  process.exit(1);
}
await import("./start/main.ts");
