export const newEncryptionKey = (): string => crypto.getRandomValues(new Uint8Array(32)).toBase64();
