import type { Answer, World } from "./world.ts";

export const PASSWORD = "correct horse battery";

interface Ask {
  headers?: Record<string, string>;
  /** The client's address, as the platform tells it. */
  from?: string;
}

/** Somebody at a browser: keeps cookies, follows redirects, and sends forms as pages give them. */
export class Visitor {
  readonly cookies = new Map<string, string>();
  /** What pages put into forms and give to scripts. */
  token = "";
  userId = "";

  constructor(
    readonly world: World,
    readonly email = `${crypto.randomUUID()}@example.com`,
  ) {}

  /** One request, without following where it leads. */
  async request(
    method: string,
    path: string,
    body?: BodyInit,
    { headers = {}, from = "192.0.2.1" }: Ask = {},
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

  /** A page of the console, and where it leads. */
  async get(path: string): Promise<Answer> {
    let answer = await this.request("GET", path);
    for (let hops = 0; answer.status === 303 && hops < 5; hops++) {
      answer = await this.request("GET", answer.headers.get("Location") ?? "");
    }
    return answer;
  }

  /** Sends a form, without following where it leads. */
  post(path: string, fields: Record<string, string> = {}, ask: Ask = {}): Promise<Answer> {
    return this.request("POST", path, new URLSearchParams({ csrf_token: this.token, ...fields }), ask);
  }

  signIn(password = PASSWORD, ask: Ask = {}): Promise<Answer> {
    return this.post("/console/sign-in", { email: this.email, password }, ask);
  }

  /** The management API, as a script of the console calls it. */
  manage(method: string, path: string, body?: object, headers: Record<string, string> = {}): Promise<Answer> {
    const sent = body === undefined ? undefined : JSON.stringify(body);
    const json = { "Content-Type": "application/json", "X-CSRF-Token": this.token, ...headers };
    return this.request(method, `/manage/v1${path}`, sent, { headers: json });
  }
}
