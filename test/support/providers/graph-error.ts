import { json, type Reply } from "./stand-in.ts";

export const graphError = (code: number, message: string, status = 400, details?: string, more: object = {}): Reply =>
  json(
    {
      error: {
        message: `(#${code}) ${message}`,
        type: "OAuthException",
        code,
        ...(details !== undefined && { error_data: { messaging_product: "whatsapp", details } }),
        ...more,
        fbtrace_id: "AQ7dPNRNeTTWYvmYWVrqVUJ",
      },
    },
    status,
  );
