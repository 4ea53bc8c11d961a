/** This agent's identity. The token is made here and leaves only as `Authorization` of its own channel. */
import { createHash, randomBytes } from 'node:crypto'
import { rm } from 'node:fs/promises'
import { z } from 'zod'
import { writeFileAtomic } from '../kernel/atomic-file.ts'
import { type Home, readJsonFile } from '../kernel/home.ts'

const Identity = z.object({
  token: z.string().min(43),
  /** Null until enrolled. */
  instanceId: z.string().nullable(),
  clusterId: z.string().nullable(),
})
export type Identity = z.infer<typeof Identity>

/** Reads the identity of `home`, or makes and keeps one: it must be on disk before its hash is sent anywhere. */
export async function loadIdentity(home: Home): Promise<Identity> {
  const known = await readJsonFile(home.identity, Identity)
  if (known) return known
  const fresh: Identity = { token: randomBytes(32).toString('base64url'), instanceId: null, clusterId: null }
  await saveIdentity(home, fresh)
  return fresh
}

export async function saveIdentity(home: Home, identity: Identity): Promise<void> {
  await writeFileAtomic(home.identity, JSON.stringify(identity))
}

/** The next start makes a new one, which has to enroll. */
export async function forgetIdentity(home: Home): Promise<void> {
  await rm(home.identity, { force: true })
}

/** The value that enrollment sends: SHA-256 of the token, hex. */
export function hashToken(token: string): string {
  return createHash('sha256').update(token).digest('hex')
}
