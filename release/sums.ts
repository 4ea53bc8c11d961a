/**
 * SHA256SUMS of a release, and its signature: Ed25519 over the bytes of the file, 64 bytes in `SHA256SUMS.sig`. Anybody
 * checks it with `openssl pkeyutl -verify -pubin -inkey release-key.pem -rawin -in SHA256SUMS -sigfile SHA256SUMS.sig`
 * and `sha256sum -c SHA256SUMS`.
 */
import { createHash, createPrivateKey, createPublicKey, type KeyObject, sign } from 'node:crypto'
import { createReadStream, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { pipeline } from 'node:stream/promises'
import { type AgentRelease, signedTextOf } from '@atoll/contract/agents'

/** Names the file with the private key, PKCS #8 in PEM. Without it a release is not signed. */
export const keySetting = 'ATOLL_RELEASE_KEY_FILE'

/** The lines of SHA256SUMS, as `sha256sum` writes them, for the files `names` in `folder`. */
export async function sumsOf(folder: string, names: readonly string[]): Promise<string> {
  const lines: string[] = []
  for (const name of names.toSorted()) {
    const hash = createHash('sha256')
    await pipeline(createReadStream(join(folder, name)), hash)
    lines.push(`${hash.digest('hex')}  ${name}\n`)
  }
  return lines.join('')
}

/** The key that the environment names; undefined where it names none. Throws for another kind of key. */
export function readSigningKey(env: Readonly<Record<string, string | undefined>>): KeyObject | undefined {
  const file = env[keySetting]
  if (file === undefined || file === '') return undefined
  const key = createPrivateKey(readFileSync(file))
  if (key.asymmetricKeyType !== 'ed25519') throw new Error(`${keySetting}: the key is not of Ed25519`)
  return key
}

/** The bytes of `SHA256SUMS.sig`. */
export function signSums(sums: string, key: KeyObject): Buffer {
  return sign(null, Buffer.from(sums), key)
}

/** As PEM, for `release-key.pem`. */
export function publicKeyOf(key: KeyObject): string {
  return createPublicKey(key).export({ type: 'spki', format: 'pem' }).toString()
}

/** The description of the agent's archive that the server passes on to its agents, with the key's signature. */
export function describeAgent(
  archive: Buffer,
  { version, commit, at }: { version: string; commit: string; at: number },
  key: KeyObject | undefined,
): Omit<AgentRelease, 'signature'> & Partial<AgentRelease> {
  const sha256 = createHash('sha256').update(archive).digest('hex')
  const release = { version: `${version}+${commit}`, at, sha256 }
  if (!key) return release
  return { ...release, signature: sign(null, Buffer.from(signedTextOf(release)), key).toString('base64') }
}
