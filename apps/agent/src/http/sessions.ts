/**
 * Signed-in browsers. The cookie carries 256 random bits, the disk only their SHA-256; a restart keeps everyone signed
 * in, and another password of the owner signs everyone out in the same write. `__Host-` would tie the cookie to this
 * very host, but browsers allow it over https only, so it is used there.
 */
import { createHash, randomBytes } from 'node:crypto'
import type { IncomingMessage } from 'node:http'
import type { OpenSession, SignInPlace } from '@atoll/contract/personal-server'
import { z } from 'zod'
import { createPasswordBinding } from '../activation/password-binding.ts'
import { writeFileAtomic } from '../kernel/atomic-file.ts'
import { type Home, readJsonFile } from '../kernel/home.ts'
import type { Log } from '../kernel/log.ts'
import type { StateStore } from '../kernel/state-store.ts'
import { createTurns } from '../kernel/turns.ts'
import { openSignInHistory, Place, type SignInHistory } from './sign-in-history.ts'

const lifetimeMs = 7 * 24 * 3600_000
/** An ended session is refused, and stays on the disk for so long: the clock may be the one that is wrong. */
const keptMs = 7 * 24 * 3600_000
/** The oldest sign-in goes when there are more. */
const maxSessions = 50

const SessionFile = z.array(
  z.object({
    hash: z.string(),
    expiresAt: z.number(),
    // Earlier agents wrote none of these.
    openedAt: z.number().nullable().default(null),
    place: Place.nullable().default(null),
    /** See `password-binding.ts`. */
    boundTo: z.string().nullable().default(null),
  }),
)

export interface Sessions {
  history: SignInHistory
  /** A new session for the owner's password with the hash `ownerHash`: the Set-Cookie header and its end in ms. */
  open(isSecure: boolean, place: SignInPlace, ownerHash: string): Promise<{ cookie: string; expiresAt: number }>
  /** Those that are valid, the one of `req` marked, the newest first. */
  list(req: IncomingMessage): OpenSession[]
  /** The end (ms) of the session that `req` carries; undefined when it carries none that is valid. */
  find(req: IncomingMessage): number | undefined
  /** Ends the session of `req` and gives the header that removes the cookie. */
  close(req: IncomingMessage, isSecure: boolean): Promise<string>
  /** Ends the session with this id, if there is one. */
  end(id: string): Promise<void>
  /** Ends every session but that of `req`; without `req`, all. */
  closeAll(req?: IncomingMessage): Promise<void>
}

export async function openSessions(options: {
  home: Home
  log: Log
  store: Pick<StateStore, 'current'>
  now?: () => number
}): Promise<Sessions> {
  const { home, log, store, now = Date.now } = options
  const binding = createPasswordBinding(store)
  const history = await openSignInHistory(home, log, now)
  let sessions = (await readJsonFile(home.sessions, SessionFile)) ?? []
  const inTurn = createTurns(1)
  // A failed save is made good by the next one, which writes everything again.
  const save = () => inTurn(() => writeFileAtomic(home.sessions, JSON.stringify(sessions)))

  const isLiving = ({ expiresAt, boundTo }: (typeof sessions)[number]) =>
    expiresAt > now() && (boundTo === null || binding.isPresent(boundTo))

  return {
    history,
    async open(isSecure, place, ownerHash) {
      const token = randomBytes(32).toString('base64url')
      const expiresAt = now() + lifetimeMs
      const kept = sessions.filter((session) => session.expiresAt + keptMs > now())
      // Of too many those go first that have ended, then the oldest.
      const ended = kept.filter((session) => !isLiving(session))
      const living = kept.filter(isLiving)
      const opened = { hash: hashOf(token), expiresAt, openedAt: now(), place, boundTo: binding.digest(ownerHash) }
      sessions = [...ended, ...living, opened].slice(-maxSessions)
      await save()
      await history.note('signedIn', place)
      return { cookie: cookieHeader(token, lifetimeMs / 1000, isSecure), expiresAt }
    },
    find(req) {
      // Looked up by hash: the time it takes says nothing about a stored token.
      const hashes = tokensOf(req).map(hashOf)
      return sessions.find((session) => isLiving(session) && hashes.includes(session.hash))?.expiresAt
    },
    list(req) {
      const hashes = tokensOf(req).map(hashOf)
      return sessions
        .filter(isLiving)
        .map(({ hash, place, openedAt }) => ({ id: idOf(hash), current: hashes.includes(hash), place, openedAt }))
        .toReversed()
    },
    async end(id) {
      sessions = sessions.filter(({ hash }) => idOf(hash) !== id)
      await save()
    },
    async closeAll(req) {
      const hashes = req ? tokensOf(req).map(hashOf) : []
      sessions = sessions.filter(({ hash }) => hashes.includes(hash))
      await save()
    },
    async close(req, isSecure) {
      const hashes = tokensOf(req).map(hashOf)
      sessions = sessions.filter(({ hash }) => !hashes.includes(hash))
      await save()
      return cookieHeader('', 0, isSecure)
    },
  }
}

function cookieHeader(token: string, maxAgeSeconds: number, isSecure: boolean): string {
  const name = isSecure ? '__Host-session' : 'session'
  return `${name}=${token}; Path=/; HttpOnly; SameSite=Strict; Max-Age=${maxAgeSeconds}${isSecure ? '; Secure' : ''}`
}

/** Every session cookie: a neighbouring host of the same domain can set a second one of the name, and must not win. */
function tokensOf(req: IncomingMessage): string[] {
  const pairs = (req.headers.cookie ?? '').split(';', 50).map((pair) => pair.trim())
  return pairs.flatMap((pair) => /^(?:__Host-)?session=([\w-]{43})$/.exec(pair)?.[1] ?? [])
}

/** Names a session and opens nothing. */
function idOf(hash: string): string {
  return hash.slice(0, 16)
}

function hashOf(token: string): string {
  return createHash('sha256').update(token).digest('hex')
}
