// Sample code for servers that receive our webhooks. It verifies Standard Webhooks without a library.

const SECRET = "whsec_SECRET";
export const SAMPLE_PORT = 9000;

const node = `// receiver.mjs: node receiver.mjs
import { createHmac, timingSafeEqual } from "node:crypto";
import { createServer } from "node:http";

const key = Buffer.from("${SECRET}".slice("whsec_".length), "base64");

function verify(headers, body) {
  const { "webhook-id": id, "webhook-timestamp": timestamp, "webhook-signature": signatures = "" } = headers;
  const age = Math.abs(Date.now() / 1000 - Number(timestamp));
  if (!(age <= 300)) return false; // may be a replay attack
  const expected = createHmac("sha256", key).update(\`\${id}.\${timestamp}.\`).update(body).digest();
  return signatures.split(" ").some((each) => {
    const [version, text = ""] = each.split(",");
    const given = Buffer.from(text, "base64");
    return version === "v1" && given.length === expected.length && timingSafeEqual(given, expected);
  });
}

createServer(async (request, response) => {
  const chunks = [];
  for await (const chunk of request) chunks.push(chunk);
  const body = Buffer.concat(chunks); // the signature covers the raw bytes
  if (!verify(request.headers, body)) return response.writeHead(401).end("The signature is wrong.");
  response.writeHead(204).end(); // respond first: Tidings retries after 15 seconds
  console.log(request.headers["webhook-id"], JSON.parse(body));
}).listen(${SAMPLE_PORT});
`;

const python = `# receiver.py: python3 receiver.py
import base64, hashlib, hmac, json, time
from http.server import BaseHTTPRequestHandler, HTTPServer

KEY = base64.b64decode("${SECRET}".removeprefix("whsec_"))

def verify(headers, body):
    message_id, timestamp = headers.get("webhook-id", ""), headers.get("webhook-timestamp", "")
    if not timestamp.isdigit() or abs(time.time() - int(timestamp)) > 300:
        return False  # may be a replay attack
    signed = f"{message_id}.{timestamp}.".encode() + body
    expected = "v1," + base64.b64encode(hmac.new(KEY, signed, hashlib.sha256).digest()).decode()
    signatures = headers.get("webhook-signature", "").split(" ")
    return any(hmac.compare_digest(expected.encode(), each.encode()) for each in signatures)

class Receiver(BaseHTTPRequestHandler):
    def do_POST(self):
        # The signature covers the raw bytes.
        body = self.rfile.read(int(self.headers.get("Content-Length", 0)))
        is_valid = verify(self.headers, body)
        self.send_response(204 if is_valid else 401)
        self.end_headers()
        if is_valid:
            print(self.headers["webhook-id"], json.loads(body), flush=True)

HTTPServer(("", ${SAMPLE_PORT}), Receiver).serve_forever()
`;

const php = `<?php // receiver.php: php -S localhost:${SAMPLE_PORT} receiver.php
const SECRET = '${SECRET}';

function verify(string $id, string $timestamp, string $signatures, string $body): bool {
    if (!preg_match('/^\\d+$/', $timestamp) || abs(time() - (int) $timestamp) > 300) {
        return false; // may be a replay attack
    }
    $key = base64_decode(substr(SECRET, strlen('whsec_')));
    $expected = 'v1,' . base64_encode(hash_hmac('sha256', "$id.$timestamp.$body", $key, true));
    foreach (explode(' ', $signatures) as $signature) {
        if (hash_equals($expected, $signature)) {
            return true;
        }
    }
    return false;
}

$body = file_get_contents('php://input'); // the signature covers the raw bytes
$id = $_SERVER['HTTP_WEBHOOK_ID'] ?? '';
if (!verify($id, $_SERVER['HTTP_WEBHOOK_TIMESTAMP'] ?? '', $_SERVER['HTTP_WEBHOOK_SIGNATURE'] ?? '', $body)) {
    http_response_code(401);
    exit('The signature is wrong.');
}
http_response_code(204);
error_log("$id $body");
`;

const shell = `# webhook.sh
#   sh webhook.sh verify ID TIMESTAMP SIGNATURES FILE   verifies a delivery; FILE contains its raw body
#   sh webhook.sh send http://localhost:${SAMPLE_PORT}/          sends your receiver a request, signed like a delivery
secret='${SECRET}'
key=$(printf %s "\${secret#whsec_}" | openssl base64 -d -A | od -An -v -tx1 | tr -d ' \\n')

# sign ID TIMESTAMP FILE
sign() {
  { printf '%s.%s.' "$1" "$2"; cat "$3"; } |
    openssl dgst -sha256 -mac HMAC -macopt "hexkey:$key" -binary | openssl base64 -A
}

case $1 in
verify)
  case " $4 " in
  *" v1,$(sign "$2" "$3" "$5") "*) echo "The signature is right." ;;
  *) echo "The signature is wrong." && exit 1 ;;
  esac ;;
send)
  body=$(mktemp) id=test_$$ now=$(date +%s)
  printf '{"type":"webhook.test","data":{}}' > "$body"
  curl -i "$2" -H "Content-Type: application/json" -H "webhook-id: $id" -H "webhook-timestamp: $now" \\
    -H "webhook-signature: v1,$(sign "$id" "$now" "$body")" --data-binary "@$body"
  rm "$body" ;;
esac
`;

interface Sample {
  id: string;
  label: string;
  help: string;
  text: string;
}

const help = "Prints received events, and rejects requests without a valid signature.";

const samples: readonly Sample[] = [
  { id: "node", label: "Node.js", help, text: node },
  { id: "python", label: "Python", help, text: python },
  { id: "php", label: "PHP", help, text: php },
  {
    id: "shell",
    label: "curl and openssl",
    help: "Verifies a delivery you saved, or sends your receiver a signed request.",
    text: shell,
  },
];

/**
 * Inserts the secret without escaping: it is base64, which has no characters that these languages would need to
 * escape.
 */
export const verificationSamples = (secret: string): Sample[] =>
  samples.map(({ text, ...sample }) => ({ ...sample, text: text.replaceAll(SECRET, secret) }));
