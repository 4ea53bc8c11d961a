import { type BackupMachine, normalPassword } from '@atoll/contract/backups'

/** `password`, in its one form, as nobody but the machine with this key can read it. */
export async function sealPassword(password: string, key: NonNullable<BackupMachine['key']>): Promise<string> {
  return await encryptFor(key, normalPassword(password))
}

/**
 * `text` as nobody but the machine with this key can read it: a compact JWE, ECDH-ES with A256GCM. The library comes
 * with the first of them, which few visits have.
 */
export async function encryptFor(key: NonNullable<BackupMachine['key']>, text: string): Promise<string> {
  const { CompactEncrypt, importJWK } = await import('jose')
  return await new CompactEncrypt(new TextEncoder().encode(text))
    .setProtectedHeader({ alg: 'ECDH-ES', enc: 'A256GCM' })
    .encrypt(await importJWK(key, 'ECDH-ES'))
}
