import type { Trx } from '../db/index.ts'

/** A module's reaction to an event of another module, in the transaction of that event. */
export type Handler<Event> = (trx: Trx, event: Event) => Promise<void>

/**
 * A notification between modules. Its handlers run in the transaction of what they are told of, one after another, and
 * do nothing outside the database; what one of them throws ends the transaction.
 */
export interface Hook<Event> {
  publish: Handler<Event>
  /** Names all handlers, in order; once, before anything is served. */
  handledBy(...handlers: readonly Handler<Event>[]): void
}

export function createHook<Event>(name: string): Hook<Event> {
  let handlers: readonly Handler<Event>[] | undefined
  return {
    async publish(trx, event) {
      if (handlers === undefined) throw new Error(`${name} was published before its handlers were named`)
      for (const handle of handlers) await handle(trx, event)
    },
    handledBy(...named) {
      if (handlers !== undefined) throw new Error(`The handlers of ${name} were named before`)
      handlers = named
    },
  }
}
