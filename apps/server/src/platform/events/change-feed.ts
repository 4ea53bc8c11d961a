/**
 * Publishes to each subscriber every change it wants, once, in order, starting at the number that it names. New changes
 * arrive as notifications; earlier ones, and those that were lost while the listener was disconnected, are read from
 * the table.
 *
 * behind ──missed changes read──▶ current ──listener disconnected──▶ behind …
 *
 * A subscriber that is behind takes no notifications: it reads until nothing arrived during its last reading. It is
 * sent `resync` when the changes that it missed are no longer stored.
 */
import { eventTopics } from '@atoll/contract/wire'
import { z } from 'zod'
import type { Db } from '../db/index.ts'
import type { Log } from '../log.ts'
import { type ChangeFilter, getPosition, listMissed, matchesFilter, type NumberedChange } from './change-store.ts'
import { fleetingChannel } from './fleeting.ts'
import type { Listener } from './listener.ts'

/** The channel on which the database publishes changes (migration 0017). */
export const changeChannel = 'atoll_change'

const Fleeting = z.object({ account: z.string(), topic: z.enum(eventTopics), id: z.string() })
const Change = Fleeting.extend({ seq: z.number() })

/**
 * A message to a subscriber. `ready` comes first, and again with `resync` whenever missed changes are no longer stored.
 * A fleeting change carries the number that was sent last.
 */
export type FeedItem = { ready: true; resync: boolean; seq: number } | ({ ready: false } & NumberedChange)

export interface SubscribeOptions {
  filter: ChangeFilter
  /** The last number that was seen; undefined: nothing is known. */
  after: number | undefined
  publish(item: FeedItem): void
  /** The feed cannot go on for this subscriber, who has to subscribe again. */
  onLost(): void
}

export interface ChangeFeed {
  /** Returns, after `ready` and everything that was missed, the function that unsubscribes. */
  subscribe(options: SubscribeOptions): Promise<() => void>
}

interface Subscriber extends SubscribeOptions {
  /** The last number it was sent. */
  last: number
  /** Reading; `again`: something arrived meanwhile. */
  behind: { again: boolean } | undefined
}

/** Reads the missed changes; the database, or a test's stand-in. */
export interface ChangeStore {
  getPosition(): Promise<number>
  listMissed(filter: ChangeFilter, after: number): Promise<{ changes: NumberedChange[]; position: number } | undefined>
}

export function storeOf(db: Db): ChangeStore {
  return { getPosition: () => getPosition(db), listMissed: (filter, after) => listMissed(db, filter, after) }
}

export function createChangeFeed(listener: Listener, store: ChangeStore, log: Log): ChangeFeed {
  /** By account, so that a change costs its own account's subscribers only; and those who also see others'. */
  const ofAccount = new Map<string, Set<Subscriber>>()
  const ofEverybody = new Set<Subscriber>()

  listener.on(changeChannel, (payload) => {
    const change = Change.parse(payload)
    for (const subscriber of wanting(change)) receive(subscriber, change)
  })
  listener.on(fleetingChannel, (payload) => {
    const change = Fleeting.parse(payload)
    for (const subscriber of wanting(change)) {
      // A subscriber that is behind fetches everything anyway, or receives the next one.
      if (!subscriber.behind) subscriber.publish({ ready: false, ...change, seq: subscriber.last })
    }
  })
  listener.onResync(() => {
    const all = [...[...ofAccount.values()].flatMap((set) => [...set]), ...ofEverybody]
    for (const subscriber of all) {
      catchUp(subscriber).catch((error: unknown) => {
        log.warn({ err: error }, 'missed changes cannot be read; their reader has to connect again')
        subscriber.onLost()
      })
    }
  })

  function wanting(change: z.infer<typeof Fleeting>): Subscriber[] {
    const others = [...ofEverybody].filter(({ filter }) => matchesFilter(filter, change))
    return [...(ofAccount.get(change.account) ?? []), ...others]
  }

  function receive(subscriber: Subscriber, change: NumberedChange): void {
    if (subscriber.behind) subscriber.behind.again = true
    else if (change.seq > subscriber.last) publish(subscriber, change)
  }

  function publish(subscriber: Subscriber, change: NumberedChange): void {
    subscriber.last = change.seq
    subscriber.publish({ ready: false, ...change })
  }

  /** Publishes what came after `last`, until a reading during which nothing arrived. */
  async function catchUp(subscriber: Subscriber, announce = false): Promise<void> {
    if (subscriber.behind) {
      subscriber.behind.again = true
      return
    }
    const state = { again: false }
    subscriber.behind = state
    let toAnnounce = announce
    try {
      do {
        state.again = false
        const missed = await store.listMissed(subscriber.filter, subscriber.last)
        if (missed && toAnnounce) subscriber.publish({ ready: true, resync: false, seq: subscriber.last })
        if (!missed) {
          subscriber.last = await store.getPosition()
          subscriber.publish({ ready: true, resync: true, seq: subscriber.last })
        }
        toAnnounce = false
        for (const change of missed?.changes ?? []) publish(subscriber, change)
        if (missed) subscriber.last = missed.position
      } while (state.again)
    } finally {
      subscriber.behind = undefined
    }
  }

  function add(subscriber: Subscriber): () => void {
    const { account, everybodys } = subscriber.filter
    if (everybodys.length > 0) {
      ofEverybody.add(subscriber)
      return () => ofEverybody.delete(subscriber)
    }
    const set = ofAccount.get(account) ?? new Set()
    ofAccount.set(account, set)
    set.add(subscriber)
    return () => {
      set.delete(subscriber)
      if (set.size === 0 && ofAccount.get(account) === set) ofAccount.delete(account)
    }
  }

  return {
    async subscribe(options) {
      // -1: a number that no database knows, so a subscriber that knows nothing is made to ask for everything.
      const subscriber: Subscriber = { ...options, last: options.after ?? -1, behind: undefined }
      // Before the first reading: what arrives during it is read again.
      const leave = add(subscriber)
      try {
        await catchUp(subscriber, true)
      } catch (error) {
        leave()
        throw error
      }
      return leave
    },
  }
}
