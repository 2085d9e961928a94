import { describe, expect, it } from "vitest";
import { TidingsError, webhooks } from "../../../sdk/src/index.ts";
import { signedHeaders } from "../../../src/features/webhooks/webhooks.signing.ts";

const SECRET = "whsec_MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSw";
const OTHER = "whsec_C2FVsBQIhrscChlQIMV+b5sSYspob7oD";
const event = { id: "evt_1", type: "message.received", data: { message: { id: "msg_1", body: "Größe ✓" } } };
const body = JSON.stringify(event);

const sign = (text: string, secrets = [SECRET], now = Date.now()) =>
  signedHeaders({ id: "evt_1", body: text, now }, secrets);

const codeOf = (verify: () => unknown): string | null => {
  try {
    verify();
    return null;
  } catch (error) {
    return error instanceof TidingsError ? error.code : String(error);
  }
};

describe("webhooks.verify", () => {
  it("webhooks.verify returns the typed event from text or bytes, and from any kind of headers", () => {
    const headers = sign(body);
    const lists = Object.fromEntries(Object.entries(headers).map(([name, value]) => [name.toUpperCase(), [value]]));
    // Like Node's `headersDistinct` if a header is repeated.
    const twice = { ...headers, "webhook-signature": ["v1,wrong", headers["webhook-signature"] ?? ""] };
    for (const given of [headers, new Headers(headers), lists, twice]) {
      expect(webhooks.verify(body, given, SECRET)).toEqual(event);
      expect(webhooks.verify(new TextEncoder().encode(body), given, SECRET)).toEqual(event);
      expect(webhooks.verify(Buffer.from(body), given, SECRET)).toEqual(event);
    }
  });

  it("webhooks.verify returns a batch of events", () => {
    const batch = JSON.stringify({ events: [event, event] });
    const idsIn = (text: string) => {
      const delivery = webhooks.verify(text, sign(text), SECRET);
      return (delivery.events ?? [delivery]).map(({ id }) => id);
    };
    expect(idsIn(batch)).toEqual(["evt_1", "evt_1"]);
    expect(idsIn(body)).toEqual(["evt_1"]);
  });

  it("webhooks.verify accepts the old and the new secret during a rotation", () => {
    expect(webhooks.verify(body, sign(body, [OTHER]), [SECRET, OTHER])).toEqual(event);
    expect(webhooks.verify(body, sign(body, [SECRET, OTHER]), OTHER)).toEqual(event);
  });

  it("webhooks.verify rejects a changed body, another secret, an old signature and a missing signature", () => {
    const minutesAgo = (minutes: number) => sign(body, [SECRET], Date.now() - minutes * 60_000);
    const wrong: [string, Record<string, string | undefined>][] = [
      [`${body} `, sign(body)],
      [`\uFEFF${body}`, sign(body)],
      [body, sign(body, [OTHER])],
      [body, minutesAgo(6)],
      [body, minutesAgo(-6)],
      [body, { ...sign(body), "webhook-id": "evt_2" }],
      [body, { ...sign(body), "webhook-timestamp": "now" }],
      [body, { ...sign(body), "webhook-signature": "v1" }],
      [body, { ...sign(body), "webhook-signature": undefined }],
      [body, {}],
    ];
    for (const [text, headers] of wrong) {
      expect(codeOf(() => webhooks.verify(text, headers, SECRET))).toBe("invalid_signature");
      expect(codeOf(() => webhooks.verify(new TextEncoder().encode(text), headers, [SECRET]))).toBe(
        "invalid_signature",
      );
    }
  });

  it("webhooks.verify throws invalid_body for a signed body that is not JSON", () => {
    for (const text of ["", "{", "event=1"]) {
      expect(codeOf(() => webhooks.verify(text, sign(text), SECRET))).toBe("invalid_body");
      expect(codeOf(() => webhooks.verify(text, sign(text, [OTHER]), [SECRET, OTHER]))).toBe("invalid_body");
      expect(codeOf(() => webhooks.verify(text, sign(text, [OTHER]), SECRET))).toBe("invalid_signature");
    }
  });

  it("webhooks.verify reports missing headers, a missing secret, and a body that is not raw", () => {
    const verify: Function = webhooks.verify;
    expect(() => verify(event, sign(body), SECRET)).toThrow("before anything parses it");
    expect(() => verify(body, null, SECRET)).toThrow("Pass the request's headers.");
    for (const secret of ["", undefined, [], [SECRET, ""]])
      expect(() => verify(body, sign(body), secret)).toThrow("The webhook's secret is required.");
  });

  it("webhooks.verify distinguishes an invalid secret from a wrong signature, and never shows the secret", () => {
    for (const secret of ["", "whsec_", "whsec_not base64", []]) {
      const code = codeOf(() => webhooks.verify(body, sign(body), secret));
      expect(code).toMatch(/^(?:Type)?Error: /);
      expect(code).not.toContain("not base64");
    }
  });
});
