import { type ChangeEvent, eventTopics } from '@atoll/contract'
import { z } from 'zod'
import type { Listener } from './listener.ts'
import { changeChannel } from './publish.ts'

const Change = z.object({ account: z.string(), topic: z.enum(eventTopics), id: z.string() })

export interface ChangeFeed {
  /** Calls `fn` for every change of `account`'s objects; after a gap, with topic `hello`: anything may have changed. */
  subscribe(account: string, fn: (change: ChangeEvent) => void): () => void
}

/** Spreads the change notifications of one listener to whoever watches an account in this process. */
export function createChangeFeed(listener: Listener): ChangeFeed {
  const watchers = new Map<string, Set<(change: ChangeEvent) => void>>()
  listener.on(changeChannel, (payload) => {
    const { account, topic, id } = Change.parse(payload)
    for (const fn of [...(watchers.get(account) ?? [])]) fn({ topic, id })
  })
  listener.onResync(() => {
    for (const set of [...watchers.values()]) for (const fn of [...set]) fn({ topic: 'hello', id: '' })
  })
  return {
    subscribe(account, fn) {
      const set = watchers.get(account) ?? new Set()
      watchers.set(account, set)
      set.add(fn)
      return () => {
        set.delete(fn)
        if (set.size === 0 && watchers.get(account) === set) watchers.delete(account)
      }
    },
  }
}
