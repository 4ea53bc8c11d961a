/**
 * Passwords of the owner's devices, which open the drive over WebDAV and nothing else. Each is random and shown once;
 * the disk has only its SHA-256: a program sends it with each request, and a slow hash each time would stop it. 120
 * random bits are not guessed.
 */
import { createHash, randomBytes, randomInt } from 'node:crypto'
import type { AppPassword, AppPasswordMade } from '@atoll/contract/personal-server'
import { z } from 'zod'
import { writeFileAtomic } from '../kernel/atomic-file.ts'
import { type Home, readJsonFile } from '../kernel/home.ts'
import { describeError, type Log } from '../kernel/log.ts'
import { HttpProblem } from '../kernel/problem.ts'
import { createTurns } from '../kernel/turns.ts'

const mostPasswords = 50
/** How far the time of the last use on the disk may lie behind, of each network, ms. */
const useWrittenMs = 5 * 60_000
/** Without characters that are taken for one another. */
const characters = 'abcdefghjkmnpqrstuvwxyz23456789'

const PasswordFile = z.array(
  z.object({
    id: z.string(),
    hash: z.string(),
    name: z.string(),
    createdAt: z.number(),
    lastUsedAt: z.number().nullable(),
    network: z.string().nullable(),
  }),
)

export interface AppPasswords {
  list(): AppPassword[]
  /** 409 tooMany when there are 50. */
  make(name: string): Promise<AppPasswordMade>
  revoke(id: string): Promise<void>
  revokeAll(): Promise<void>
  /** The name of the password; undefined when it is none. `isNewPlace`: it was used last from another network. */
  use(password: string, network: string): { name: string; isNewPlace: boolean } | undefined
}

export async function openAppPasswords(home: Home, log: Log, now: () => number = Date.now): Promise<AppPasswords> {
  let passwords = (await readJsonFile(home.appPasswords, PasswordFile)) ?? []
  /** When a use was written down last, by id and network: a device may use two in turn, such as IPv4 and IPv6. */
  const writtenAt = new Map<string, number>()
  const inTurn = createTurns(1)
  const save = () => inTurn(() => writeFileAtomic(home.appPasswords, JSON.stringify(passwords)))
  const show = ({ hash: _hash, ...shown }: (typeof passwords)[number]): AppPassword => shown

  return {
    list: () => passwords.map(show).toReversed(),
    async make(name) {
      if (passwords.length >= mostPasswords)
        throw new HttpProblem(409, 'tooMany', `There are ${mostPasswords} app passwords. Revoke one first.`)
      const password = randomGroups()
      const id = randomBytes(8).toString('hex')
      const made = { id, hash: hashOf(password), name, createdAt: now(), lastUsedAt: null, network: null }
      passwords = [...passwords, made]
      await save()
      return { ...show(made), password }
    },
    async revoke(id) {
      passwords = passwords.filter((one) => one.id !== id)
      await save()
    },
    async revokeAll() {
      passwords = []
      await save()
    },
    use(password, network) {
      const hash = hashOf(password)
      // Found by its hash: the time it takes says nothing about a stored one.
      const found = passwords.find((one) => one.hash === hash)
      if (!found) return undefined
      const key = `${found.id} ${network}`
      const isDue = now() - (writtenAt.get(key) ?? 0) > useWrittenMs
      const isNewPlace = isDue && found.network !== network
      if (isDue) {
        writtenAt.set(key, now())
        passwords = passwords.map((one) => (one.id === found.id ? { ...one, lastUsedAt: now(), network } : one))
        // The right password opens even where that cannot be written down.
        save().catch((error: unknown) =>
          log.error('http', `a use of an app password was not written down: ${describeError(error)}`),
        )
      }
      return { name: found.name, isNewPlace }
    },
  }
}

/** Five groups of five. */
function randomGroups(): string {
  const group = () => Array.from({ length: 5 }, () => characters[randomInt(characters.length)]).join('')
  return Array.from({ length: 5 }, group).join('-')
}

/** Hyphens, spaces and case do not matter: some people type it. */
function hashOf(password: string): string {
  return createHash('sha256').update(password.replace(/[-\s]/g, '').toLowerCase()).digest('hex')
}
