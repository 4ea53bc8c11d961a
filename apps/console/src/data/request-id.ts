/** A fresh idempotency key. Not `crypto.randomUUID`: pages on plain http of another host have none. */
export function newRequestId(): string {
  return Array.from(crypto.getRandomValues(new Uint8Array(16)), (byte) => byte.toString(16).padStart(2, '0')).join('')
}
