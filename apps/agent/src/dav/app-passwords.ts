/**
 * Passwords of the owner's devices, which open the drive over WebDAV and nothing else. Each is random and shown once;
 * the disk has only its SHA-256: a program sends it with each request, and a slow hash each time would stop it. 120
 * random bits are not guessed. Each is bound to the hash of the owner's password: setting another ends all of them in
 * the same write.
 */
import { createHash, randomBytes, randomInt } from 'node:crypto'
import type { AppPassword, AppPasswordMade } from '@atoll/contract/personal-server'
import { z } from 'zod'
import { createPasswordBinding } from '../activation/password-binding.ts'
import { writeFileAtomic } from '../kernel/atomic-file.ts'
import { type Home, readJsonFile } from '../kernel/home.ts'
import { describeError, type Log } from '../kernel/log.ts'
import { HttpProblem } from '../kernel/problem.ts'
import type { StateStore } from '../kernel/state-store.ts'
import { createTurns } from '../kernel/turns.ts'

const mostPasswords = 50
/** A use is written down at most once in this time for each network. ms */
const useWrittenMs = 5 * 60_000
/** Without those that look alike. */
const characters = 'abcdefghjkmnpqrstuvwxyz23456789'

const PasswordFile = z.array(
  z.object({
    id: z.string(),
    hash: z.string(),
    /** See `password-binding.ts`; an older agent wrote none, and its app passwords no longer work. */
    boundTo: z.string().default(''),
    name: z.string(),
    createdAt: z.number(),
    lastUsedAt: z.number().nullable(),
    network: z.string().nullable(),
  }),
)

export interface AppPasswords {
  list(): AppPassword[]
  has(id: string): boolean
  /** It is good while the hash of the owner's password is `ownerHash`. 409 tooMany when there are 50. */
  make(name: string, ownerHash: string): Promise<AppPasswordMade>
  revoke(id: string): Promise<void>
  /** The password's id and name; undefined when it is none. `isNewPlace`: it was used last from another network. */
  use(password: string, network: string): { id: string; name: string; isNewPlace: boolean } | undefined
}

export async function openAppPasswords(options: {
  home: Home
  log: Log
  store: Pick<StateStore, 'current'>
  now?: () => number
}): Promise<AppPasswords> {
  const { home, log, store, now = Date.now } = options
  const binding = createPasswordBinding(store)
  let passwords = (await readJsonFile(home.appPasswords, PasswordFile)) ?? []
  /** When a use was written down last, by id and network: a device may use two in turn, such as IPv4 and IPv6. */
  const writtenAt = new Map<string, number>()
  const inTurn = createTurns(1)
  const save = () => inTurn(() => writeFileAtomic(home.appPasswords, JSON.stringify(passwords)))
  const show = ({ hash: _hash, boundTo: _boundTo, ...shown }: (typeof passwords)[number]): AppPassword => shown

  const isLiving = ({ boundTo }: (typeof passwords)[number]) => binding.isPresent(boundTo)
  const living = () => passwords.filter(isLiving)

  return {
    list: () => living().map(show).toReversed(),
    has: (id) => passwords.some((one) => one.id === id && isLiving(one)),
    async make(name, ownerHash) {
      if (living().length >= mostPasswords)
        throw new HttpProblem(409, 'tooMany', `There are ${mostPasswords} app passwords. Revoke one first.`)
      const password = randomGroups()
      const id = randomBytes(8).toString('hex')
      const origin = { hash: hashOf(password), boundTo: binding.digest(ownerHash), createdAt: now() }
      const made = { id, name, ...origin, lastUsedAt: null, network: null }
      passwords = [...living(), made]
      await save()
      return { ...show(made), password }
    },
    async revoke(id) {
      passwords = living().filter((one) => one.id !== id)
      await save()
    },
    use(password, network) {
      const hash = hashOf(password)
      // Found by its hash: the time it takes says nothing about a stored one.
      const found = living().find((one) => one.hash === hash)
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
      return { id: found.id, name: found.name, isNewPlace }
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
