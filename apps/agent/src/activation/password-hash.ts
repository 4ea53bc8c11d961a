/** The owner's password on disk: scrypt, parameters beside the hash so that they can grow. */
import { randomBytes, type ScryptOptions, scrypt, timingSafeEqual } from 'node:crypto'
import { promisify } from 'node:util'

const derive = promisify<string, Buffer, number, ScryptOptions, Buffer>(scrypt)

/**
 * 32 MiB and some 80 ms a try (OWASP, "Password Storage": N=2^15, r=8, p=3 or dearer; tries are limited here, p=1).
 */
const cost = { N: 2 ** 15, r: 8, p: 1 }
const keyLength = 32

/** `scrypt$N$r$p$salt$hash`, base64url. */
export async function hashPassword(password: string): Promise<string> {
  const salt = randomBytes(16)
  const hash = await derive(password.normalize('NFKC'), salt, keyLength, withMemory(cost))
  return ['scrypt', cost.N, cost.r, cost.p, salt.toString('base64url'), hash.toString('base64url')].join('$')
}

/** Whether `password` gives `stored`. A stored text of another kind is a defect and throws. */
export async function matchesPassword(password: string, stored: string): Promise<boolean> {
  const [kind, N, r, p, salt, hash] = stored.split('$')
  if (kind !== 'scrypt' || !salt || !hash) throw new Error('the stored password hash is of an unknown kind')
  const expected = Buffer.from(hash, 'base64url')
  const parameters = withMemory({ N: Number(N), r: Number(r), p: Number(p) })
  const found = await derive(password.normalize('NFKC'), Buffer.from(salt, 'base64url'), expected.length, parameters)
  return timingSafeEqual(found, expected)
}

/** Node allows 32 MiB by default, which is exactly too little for N=2^15, r=8. */
function withMemory(parameters: typeof cost): ScryptOptions {
  return { ...parameters, maxmem: 256 * parameters.N * parameters.r }
}
