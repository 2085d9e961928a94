import { changedTemplateBody, newTemplateBody } from "./cloud-template-schemas.ts";
import { graphError } from "./graph-error.ts";
import { json, type Reply } from "./stand-in.ts";

interface CloudTemplate {
  id: string;
  name: string;
  language: string;
  status: string;
  category: string;
}

/** An approved template without variables. */
export const ORDER_UPDATE = {
  id: "9001",
  name: "order_update",
  language: "en_US",
  status: "APPROVED",
  category: "UTILITY",
  parameter_format: "POSITIONAL",
  components: [{ type: "BODY", text: "Your order is on its way." }],
};

const invalid = (issues: unknown) => graphError(100, "Invalid parameter", 400, JSON.stringify(issues));

export class CloudTemplates {
  held: object[] = [];
  readonly examples = new Map<string, { type: string; bytes: Uint8Array }>();
  private readonly sessions = new Map<string, { type: string; bytes: number }>();
  private count = 0;
  /** If true, the next change of a template takes effect, but its response is lost. */
  losesNext = false;
  meanwhile: (() => Promise<unknown>) | null = null;

  private find = (id: string): CloudTemplate | undefined =>
    this.held.find((template): template is CloudTemplate => "id" in template && template.id === id);

  list(path: string): Reply | Promise<Reply> {
    const query = new URL(path, "http://graph").searchParams;
    const [limit, start] = [2, Number(query.get("after") ?? 0)];
    const isLast = start + limit >= this.held.length;
    return json({
      data: JSON.parse(this.withLinks(JSON.stringify(this.held.slice(start, start + limit)))),
      paging: {
        cursors: { before: String(start), after: String(start + limit) },
        ...(!isLast && { next: `https://elsewhere.test/stolen?access_token=x&after=${start + limit}` }),
      },
    });
  }

  /** Meta's links to examples differ in every response. */
  private withLinks = (listed: string): string =>
    listed.replace(/"4::[^"]*"/g, () => `"https://scontent.whatsapp.test/v/example.png?oe=${++this.count}"`);

  async change(call: () => Reply): Promise<Reply> {
    const answer = call();
    await this.meanwhile?.();
    this.meanwhile = null;
    if (!this.losesNext) return answer;
    this.losesNext = false;
    return "lost";
  }

  create(body: string): Reply {
    const { data, error } = newTemplateBody.safeParse(JSON.parse(body));
    if (data === undefined) return invalid(error.issues);
    const unknown = JSON.stringify(data)
      .match(/4::[\w=]+/g)
      ?.find((handle) => !this.examples.has(handle));
    if (unknown !== undefined) return graphError(100, "Invalid parameter", 400, "The media handle is not valid.");
    if (
      this.held.some(
        (each) => "name" in each && each.name === data.name && "language" in each && each.language === data.language,
      )
    )
      return graphError(100, "Invalid parameter", 400, undefined, {
        error_subcode: 2388024,
        error_user_title: "Content in this language already exists",
        error_user_msg: `There is already content for this template in ${data.language}.`,
      });
    const id = String(594_425_479_261_000 + ++this.count);
    const { parameter_format, ...template } = data;
    this.held.push({ id, status: "PENDING", parameter_format, ...template });
    return json({ id, status: "PENDING", category: data.category });
  }

  edit(id: string, body: string): Reply {
    const { data, error } = changedTemplateBody.safeParse(JSON.parse(body));
    if (data === undefined) return invalid(error.issues);
    const template = this.find(id);
    if (template === undefined)
      return graphError(100, "Unsupported post request", 400, undefined, { error_subcode: 33 });
    Object.assign(template, data, { status: "PENDING" });
    return json({ success: true });
  }

  status(id: string): Reply {
    const template = this.find(id);
    return template === undefined
      ? graphError(100, "Unsupported get request", 400, undefined, { error_subcode: 33 })
      : json({ id, status: template.status });
  }

  remove(path: string): Reply {
    const query = new URL(path, "http://graph").searchParams;
    const template = this.find(query.get("hsm_id") ?? "");
    if (template === undefined || template.name !== query.get("name")) {
      const said = { error_user_title: "No se encontró la plantilla", error_user_msg: "Se eliminó." };
      return graphError(100, "Invalid parameter", 400, undefined, said);
    }
    this.held = this.held.filter((each) => each !== template);
    return json({ success: true });
  }

  /** `POST /{app_id}/uploads` opens a session. */
  open(path: string): Reply {
    const query = new URL(path, "http://graph").searchParams;
    const [name, bytes, type] = ["file_name", "file_length", "file_type"].map((field) => query.get(field));
    if (!name || !type || !/^[1-9]\d*$/.test(bytes ?? "")) return graphError(100, "Invalid parameter");
    const id = `upload:MTphdHRhY2htZW50${++this.count}==?sig=ARZqkGCA_uQMxC8nHKI`;
    this.sessions.set(id, { type, bytes: Number(bytes) });
    return json({ id });
  }

  /** `POST /{session}` sends the whole file. */
  take(id: string, headers: Headers, bytes: Uint8Array): Reply {
    const session = this.sessions.get(id);
    if (session === undefined || headers.get("file_offset") !== "0") return graphError(100, "Invalid parameter");
    if (bytes.byteLength !== session.bytes) return json({ id, file_offset: bytes.byteLength });
    const h = `4::${btoa(session.type)}`;
    this.examples.set(h, { type: session.type, bytes });
    return json({ h });
  }
}
