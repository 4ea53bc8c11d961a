/** The platform functions that a verifier needs. */
export interface StatementCrypto {
  /** SHA-256 of UTF-8 text, hex. */
  sha256(text: string): string
  /** Whether the Ed25519 signature is on the text; key and signature are hex. */
  isSigned(text: string, signature: string, publicKey: string): boolean
}
