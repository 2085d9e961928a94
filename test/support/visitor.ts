import { readBytes } from "./media.ts";
import type { Answer, World } from "./world.ts";

export const PASSWORD = "correct horse battery";

interface Ask {
  headers?: Record<string, string>;
  from?: string;
}

let visitors = 0;

/** Visitors have different addresses, so that they do not share rate limits. */
function newAddress(): string {
  visitors += 1;
  return `10.${visitors >> 16}.${(visitors >> 8) & 0xff}.${visitors & 0xff}`;
}

/** Behaves like a browser: stores cookies, follows redirects and submits forms. */
export class Visitor {
  readonly cookies = new Map<string, string>();
  /** The CSRF token of the last page that contained one. */
  token = "";
  userId = "";
  readonly address = newAddress();

  constructor(
    readonly world: World,
    readonly email = `${crypto.randomUUID()}@example.com`,
  ) {}

  async request(
    method: string,
    path: string,
    body?: BodyInit,
    { headers = {}, from = this.address }: Ask = {},
  ): Promise<Answer> {
    const cookie = Array.from(this.cookies, ([name, value]) => `${name}=${value}`).join("; ");
    const answer = await this.world.request(method, path, undefined, {
      headers: {
        "Content-Type": "application/x-www-form-urlencoded",
        "CF-Connecting-IP": from,
        "Sec-Fetch-Site": "same-origin",
        ...(cookie !== "" && { Cookie: cookie }),
        ...headers,
      },
      ...(body !== undefined && { raw: body }),
    });
    for (const line of answer.headers.getSetCookie()) {
      const [, name = "", value = ""] = /^([^=]+)=([^;]*)/.exec(line) ?? [];
      if (/max-age=0/i.test(line)) this.cookies.delete(name);
      else this.cookies.set(name, value);
    }
    const token = typeof answer.body === "string" ? /name="csrf-token" content="([^"]*)"/.exec(answer.body)?.[1] : null;
    if (typeof token === "string") this.token = token;
    return answer;
  }

  bytes(path: string, headers: Record<string, string> = {}) {
    const cookie = Array.from(this.cookies, ([name, value]) => `${name}=${value}`).join("; ");
    return readBytes(this.world, path, { Cookie: cookie, ...headers });
  }

  async get(path: string): Promise<Answer> {
    let answer = await this.request("GET", path);
    for (let hops = 0; answer.status === 303 && hops < 5; hops++) {
      answer = await this.request("GET", answer.headers.get("Location") ?? "");
    }
    return answer;
  }

  post(path: string, fields: Record<string, string> = {}, ask: Ask = {}): Promise<Answer> {
    return this.request("POST", path, new URLSearchParams({ csrf_token: this.token, ...fields }), ask);
  }

  signIn(password = PASSWORD, ask: Ask = {}): Promise<Answer> {
    return this.post("/console/sign-in", { email: this.email, password }, ask);
  }

  openInvitation(secret: string): Promise<Answer> {
    return this.post("/console/invitations", { secret });
  }

  signUp(secret: string, password = PASSWORD, name = "Ada"): Promise<Answer> {
    return this.post("/console/invitations/sign-up", { secret, name, password });
  }

  signInAndJoin(secret: string, password = PASSWORD): Promise<Answer> {
    return this.post("/console/invitations/sign-in", { secret, password });
  }

  reset(secret: string, password: string): Promise<Answer> {
    return this.post("/console/reset/password", { secret, new_password: password, repeated: password });
  }

  async workspaces(): Promise<string[]> {
    const { body } = await this.get("/console/workspaces");
    return [
      ...new Set(Array.from(String(body).matchAll(/href="\/console\/(ws_\w+)"/g), ([, id = ""]) => id)),
    ].toSorted();
  }

  manage(method: string, path: string, body?: object, headers: Record<string, string> = {}): Promise<Answer> {
    const sent = body === undefined ? undefined : JSON.stringify(body);
    const json = { "Content-Type": "application/json", "X-CSRF-Token": this.token, ...headers };
    return this.request(method, `/manage/v1${path}`, sent, { headers: json });
  }
}
