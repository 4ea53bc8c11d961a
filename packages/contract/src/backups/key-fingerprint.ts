/**
 * How a machine's key is read out: the first eight bytes of its thumbprint (RFC 7638), in hex. The console shows it of
 * the key for which it seals a password, and the machine itself shows its own: who compares them need not believe us.
 */
export async function keyFingerprint(key: { kty: string; crv: string; x: string; y: string }): Promise<string> {
  const { crv, kty, x, y } = key
  // Its members in this order, and nothing else.
  const text = new TextEncoder().encode(JSON.stringify({ crv, kty, x, y }))
  const hash = new Uint8Array(await crypto.subtle.digest('SHA-256', text))
  return Array.from(hash.subarray(0, 8), (byte) => byte.toString(16).padStart(2, '0')).join(':')
}
