/**
 * The last tries to sign in, as the owner sees them. Wrong ones never push out right ones, and those of one network
 * are one entry: a guesser fills no list. Nor does a device, whose app password from one network is one entry too.
 * How often anybody may try is bounded (`activation/tries.ts`), and so is how often this is written.
 */
import { deviceKinds } from '@atoll/contract/accounts'
import type { SignIn, SignInPlace } from '@atoll/contract/personal-server'
import { z } from 'zod'
import { writeFileAtomic } from '../kernel/atomic-file.ts'
import { type Home, readJsonFile } from '../kernel/home.ts'
import { describeError, type Log } from '../kernel/log.ts'
import { createTurns } from '../kernel/turns.ts'

/** Entries of each outcome. */
const mostKept = 100

export const Place = z.object({
  device: z.object({
    kind: z.enum(deviceKinds),
    browser: z.string().nullable(),
    system: z.string().nullable(),
  }),
  network: z.string().nullable(),
})

const HistoryFile = z.array(
  z.object({
    outcome: z.enum(['signedIn', 'wrongPassword']),
    place: Place,
    at: z.number(),
    count: z.number(),
    appPassword: z.string().optional(),
  }),
)

export interface SignInHistory {
  /** Never fails: the right password signs in even where that cannot be written down. */
  note(outcome: SignIn['outcome'], place: SignInPlace, appPassword?: string): Promise<void>
  /** The newest first. */
  list(): SignIn[]
}

export async function openSignInHistory(home: Home, log: Log, now: () => number = Date.now): Promise<SignInHistory> {
  let entries: SignIn[] = (await readJsonFile(home.signIns, HistoryFile)) ?? []
  const inTurn = createTurns(1)

  return {
    async note(outcome, place, appPassword) {
      entries = addSignIn(entries, { outcome, place, at: now(), count: 1, ...(appPassword && { appPassword }) })
      await inTurn(() => writeFileAtomic(home.signIns, JSON.stringify(entries))).catch((error: unknown) =>
        log.error('http', `a sign-in was not written down: ${describeError(error)}`),
      )
    },
    list: () => entries.toReversed(),
  }
}

/** `entries` and `added`, the newest last. */
export function addSignIn(entries: readonly SignIn[], added: SignIn): SignIn[] {
  const isOne = added.outcome === 'wrongPassword' || added.appPassword !== undefined
  const isSame = (entry: SignIn) =>
    entry.outcome === added.outcome &&
    entry.appPassword === added.appPassword &&
    entry.place.network === added.place.network
  const before = isOne ? entries.find(isSame) : undefined
  const count = added.outcome === 'wrongPassword' ? (before?.count ?? 0) + 1 : 1
  const all = [...entries.filter((entry) => entry !== before), { ...added, count }]
  const alike = all.filter(({ outcome }) => outcome === added.outcome)
  return alike.length > mostKept ? all.filter((entry) => entry !== alike[0]) : all
}
