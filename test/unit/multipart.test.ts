import { describe, expect, it } from "vitest";
import { readMultipart } from "../../src/console/kit/forms/multipart.ts";

const BOUNDARY = "----b0undary";
const TYPE = `multipart/form-data; boundary=${BOUNDARY}`;

interface Part {
  name: string;
  value: string;
  filename?: string;
  type?: string;
}

const formOf = (parts: Part[]): string =>
  parts
    .map(({ name, value, filename, type }) => {
      const file = filename === undefined ? "" : `; filename="${filename}"`;
      const kind = type === undefined ? "" : `\r\nContent-Type: ${type}`;
      return `--${BOUNDARY}\r\nContent-Disposition: form-data; name="${name}"${file}${kind}\r\n\r\n${value}\r\n`;
    })
    .join("") + `--${BOUNDARY}--\r\n`;

/** The bytes of a form, some at a time. */
function streamOf(text: string, size: number): ReadableStream<Uint8Array> {
  const bytes = new TextEncoder().encode(text);
  let at = 0;
  return new ReadableStream({
    pull(controller) {
      if (at >= bytes.length) return controller.close();
      controller.enqueue(bytes.slice(at, at + size));
      at += size;
    },
  });
}

const CAPTION = { name: "caption", value: "Good\r\nmorning ✓" };
const PICTURE = {
  name: "file",
  filename: "a %22b%22.png",
  type: "image/png",
  value: `\r\n--${BOUNDARY.slice(0, -1)}almost\r\n--`,
};

describe("a form with a file", () => {
  it("gives its fields and then streams the file, however it is cut", async () => {
    const text = formOf([{ name: "csrf_token", value: "t" }, CAPTION, { name: "caption", value: "2" }, PICTURE]);
    for (const size of [1, 2, 3, 7, 64, 10_000]) {
      const { fields, file } = await readMultipart(streamOf(text, size), TYPE);
      expect([...fields]).toEqual([
        ["csrf_token", ["t"]],
        ["caption", ["Good\nmorning ✓", "2"]],
      ]);
      expect([file?.name, file?.type]).toEqual(['a "b".png', "image/png"]);
      expect(await new Response(file?.body).text()).toBe(PICTURE.value);
    }
  });

  it("has none where no file was chosen", async () => {
    const { fields, file } = await readMultipart(
      streamOf(formOf([CAPTION, { name: "file", filename: "", type: "application/octet-stream", value: "" }]), 50),
      `multipart/form-data; boundary="${BOUNDARY}"`,
    );
    expect([[...fields.keys()], file]).toEqual([["caption"], null]);
  });

  it.each([
    ["without a boundary", formOf([CAPTION]), "multipart/form-data"],
    ["of another boundary", formOf([CAPTION]), "multipart/form-data; boundary=other"],
    ["that is cut off", formOf([CAPTION]).slice(0, 40), TYPE],
    ["whose field is too long", formOf([{ name: "a", value: "x".repeat(300_000) }]), TYPE],
    ["whose part has no name", `--${BOUNDARY}\r\nContent-Type: text/plain\r\n\r\nx\r\n--${BOUNDARY}--\r\n`, TYPE],
    ["without any part", "", TYPE],
  ])("%s is refused", async (_, text, type) => {
    await expect(readMultipart(streamOf(text, 1000), type)).rejects.toMatchObject({ code: "validation_failed" });
  });

  it("that ends within its file breaks off the file's stream", async () => {
    const { file } = await readMultipart(streamOf(formOf([PICTURE]).slice(0, -8), 30), TYPE);
    await expect(new Response(file?.body).text()).rejects.toMatchObject({ code: "validation_failed" });
  });
});
