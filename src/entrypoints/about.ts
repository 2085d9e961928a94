import type { Context } from "hono";
import { accepts } from "hono/accepts";
import { html } from "hono/html";
import type { AppEnv } from "../http/app-env.ts";

const about = {
  success: true,
  name: "Tidings",
  description: "Messaging and contacts at the edge.",
  docs: "/docs",
  openapi: "/openapi.json",
  health: "/health",
  mcp: "/mcp",
};

const page = html`<!doctype html>
  <html lang="en">
    <head>
      <meta charset="utf-8" />
      <meta name="viewport" content="width=device-width, initial-scale=1" />
      <meta name="color-scheme" content="light dark" />
      <title>Tidings</title>
      <style>
        body {
          max-width: 40rem;
          margin: 4rem auto;
          padding: 0 1rem;
          font:
            1rem/1.6 system-ui,
            sans-serif;
        }
      </style>
    </head>
    <body>
      <main>
        <h1>Tidings</h1>
        <p>This server runs Tidings, a messaging and contacts API.</p>
        <ul>
          <li><a href="/docs">Documentation</a>: guides and the API reference</li>
          <li><a href="/console">Console</a>: inbox, contacts and campaigns</li>
          <li><a href="/openapi.json">OpenAPI document</a>: for tools that generate code</li>
        </ul>
      </main>
    </body>
  </html>`;

export async function respondWithAbout(c: Context<AppEnv>): Promise<Response> {
  c.header("Vary", "Accept");
  const supports = ["application/json", "text/html"];
  const type = accepts(c, { header: "Accept", supports, default: "application/json" });
  if (type !== "text/html") return c.json(about);
  c.header("Content-Security-Policy", "default-src 'none'; style-src 'unsafe-inline'; img-src 'self'");
  return c.html(page);
}
