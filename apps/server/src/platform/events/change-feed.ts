/**
 * Tells each follower of every change it wants, once, in order, from the number it names. What is new arrives as a
 * notification; what came before, or was lost while this process heard nothing, is read from the table.
 *
 * behind ──read what was missed──▶ following ──the listener was away──▶ behind …
 *
 * A follower that is behind takes no notifications: it reads until nothing arrived during its last reading. It is told
 * `resync` when what it missed is not known any more.
 */
import { eventTopics } from '@atoll/contract/wire'
import { z } from 'zod'
import type { Db } from '../db/index.ts'
import type { Log } from '../log.ts'
import { type ChangeFilter, getPosition, isWanted, listMissed, type NumberedChange } from './change-store.ts'
import { fleetingChannel } from './fleeting.ts'
import type { Listener } from './listener.ts'

/** The channel on which the database tells of changes (migration 0017). */
export const changeChannel = 'atoll_change'

const Fleeting = z.object({ account: z.string(), topic: z.enum(eventTopics), id: z.string() })
const Change = Fleeting.extend({ seq: z.number() })

/**
 * What a follower is told. `hello` comes first, and again with `resync` whenever changes were missed for good. A
 * fleeting change carries the number that was told last.
 */
export type Told = { hello: true; resync: boolean; seq: number } | ({ hello: false } & NumberedChange)

export interface FollowOptions {
  filter: ChangeFilter
  /** The last number that was seen; undefined: nothing is known. */
  after: number | undefined
  tell(told: Told): void
  /** The feed cannot go on for this follower; it has to begin anew. */
  onLost(): void
}

export interface ChangeFeed {
  /** Returns, after the `hello` and everything that was missed, the way to stop. */
  follow(options: FollowOptions): Promise<() => void>
}

interface Follower extends FollowOptions {
  /** The last number it was told. */
  last: number
  /** Reading; `again`: something arrived meanwhile. */
  behind: { again: boolean } | undefined
}

/** What reads the missed changes; the database, or a test's stand-in. */
export interface ChangeStore {
  getPosition(): Promise<number>
  listMissed(filter: ChangeFilter, after: number): Promise<{ changes: NumberedChange[]; position: number } | undefined>
}

export function storeOf(db: Db): ChangeStore {
  return { getPosition: () => getPosition(db), listMissed: (filter, after) => listMissed(db, filter, after) }
}

export function createChangeFeed(listener: Listener, store: ChangeStore, log: Log): ChangeFeed {
  /** By account, so that a change costs its own account's followers only; and those who also hear of others. */
  const ofAccount = new Map<string, Set<Follower>>()
  const ofEverybody = new Set<Follower>()

  listener.on(changeChannel, (payload) => {
    const change = Change.parse(payload)
    for (const follower of wanting(change)) hear(follower, change)
  })
  listener.on(fleetingChannel, (payload) => {
    const change = Fleeting.parse(payload)
    for (const follower of wanting(change)) {
      // Who is behind asks for everything, or hears of the next one.
      if (!follower.behind) follower.tell({ hello: false, ...change, seq: follower.last })
    }
  })
  listener.onResync(() => {
    const all = [...[...ofAccount.values()].flatMap((set) => [...set]), ...ofEverybody]
    for (const follower of all) {
      catchUp(follower).catch((error: unknown) => {
        log.warn({ err: error }, 'missed changes cannot be read; their reader has to connect again')
        follower.onLost()
      })
    }
  })

  function wanting(change: z.infer<typeof Fleeting>): Follower[] {
    const others = [...ofEverybody].filter(({ filter }) => isWanted(filter, change))
    return [...(ofAccount.get(change.account) ?? []), ...others]
  }

  function hear(follower: Follower, change: NumberedChange): void {
    if (follower.behind) follower.behind.again = true
    else if (change.seq > follower.last) tell(follower, change)
  }

  function tell(follower: Follower, change: NumberedChange): void {
    follower.last = change.seq
    follower.tell({ hello: false, ...change })
  }

  /** Tells what came after `last`, until a reading during which nothing arrived. */
  async function catchUp(follower: Follower, greet = false): Promise<void> {
    if (follower.behind) {
      follower.behind.again = true
      return
    }
    const state = { again: false }
    follower.behind = state
    let toGreet = greet
    try {
      do {
        state.again = false
        const missed = await store.listMissed(follower.filter, follower.last)
        if (missed && toGreet) follower.tell({ hello: true, resync: false, seq: follower.last })
        if (!missed) {
          follower.last = await store.getPosition()
          follower.tell({ hello: true, resync: true, seq: follower.last })
        }
        toGreet = false
        for (const change of missed?.changes ?? []) tell(follower, change)
        if (missed) follower.last = missed.position
      } while (state.again)
    } finally {
      follower.behind = undefined
    }
  }

  function add(follower: Follower): () => void {
    const { account, everybodys } = follower.filter
    if (everybodys.length > 0) {
      ofEverybody.add(follower)
      return () => ofEverybody.delete(follower)
    }
    const set = ofAccount.get(account) ?? new Set()
    ofAccount.set(account, set)
    set.add(follower)
    return () => {
      set.delete(follower)
      if (set.size === 0 && ofAccount.get(account) === set) ofAccount.delete(account)
    }
  }

  return {
    async follow(options) {
      // -1: a number that no database knows, so a follower that knows nothing is told to ask for everything.
      const follower: Follower = { ...options, last: options.after ?? -1, behind: undefined }
      // Before the first reading: what arrives during it is read again.
      const leave = add(follower)
      try {
        await catchUp(follower, true)
      } catch (error) {
        leave()
        throw error
      }
      return leave
    },
  }
}
