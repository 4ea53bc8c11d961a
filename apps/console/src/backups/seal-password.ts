import type { BackupMachine } from '@atoll/contract/backups'

/**
 * `password` as nobody but the machine with this key can read it: a compact JWE, ECDH-ES with A256GCM. The library
 * comes with the first password, which few visits have.
 */
export async function sealPassword(password: string, key: NonNullable<BackupMachine['key']>): Promise<string> {
  const { CompactEncrypt, importJWK } = await import('jose')
  return await new CompactEncrypt(new TextEncoder().encode(password))
    .setProtectedHeader({ alg: 'ECDH-ES', enc: 'A256GCM' })
    .encrypt(await importJWK(key, 'ECDH-ES'))
}
