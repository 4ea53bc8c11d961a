import { backoffMs } from '@atoll/contract/wire'
import type { Client } from 'pg'
import { type DatabaseConnection, PrimaryClient } from '../db/index.ts'
import type { Log } from '../log.ts'

export interface Listener {
  /** Calls `fn` with each payload (parsed JSON, unchecked) sent to `channel`. Returns the way to stop. */
  on(channel: string, fn: (payload: unknown) => void): () => void
  /**
   * Calls `fn` after each reconnect: notifications in between were lost, so a subscriber that keeps state reads it
   * again.
   */
  onResync(fn: () => void): () => void
  /** Resolves when every channel asked for so far is being listened to. */
  ready(): Promise<void>
  /** Whether notifications arrive right now. */
  connected(): boolean
  close(): Promise<void>
}

const backoff = { firstMs: 50, longestMs: 2000 }
/** A connection that died without a word (a cut network) is noticed by this question going unanswered, ms. */
const heartbeatMs = 10_000
const answerWithinMs = 5000

/**
 * One connection that listens for notifications and reconnects automatically. Rejects when PostgreSQL cannot be reached
 * at first.
 */
export async function createListener(options: { connection: DatabaseConnection; log: Log }): Promise<Listener> {
  const { connection, log } = options
  const handlers = new Map<string, Set<(payload: unknown) => void>>()
  const resyncs = new Set<() => void>()
  let client: Client | undefined
  let settled: Promise<unknown> = Promise.resolve()
  let retryTimer: NodeJS.Timeout | undefined
  let heartbeat: NodeJS.Timeout | undefined
  let failures = 0
  let closed = false

  function deliver(channel: string, text: string | undefined): void {
    let payload: unknown
    try {
      payload = JSON.parse(text ?? 'null')
    } catch (error) {
      log.error({ err: error, channel }, 'a notification is not JSON')
      return
    }
    for (const fn of handlers.get(channel) ?? []) callSafely(() => fn(payload), channel)
  }

  function callSafely(fn: () => void, channel: string): void {
    try {
      fn()
    } catch (error) {
      log.error({ err: error, channel }, 'a listener failed')
    }
  }

  function listenOn(target: Client, channel: string): Promise<unknown> {
    return target.query(`listen ${target.escapeIdentifier(channel)}`)
  }

  async function connect(): Promise<void> {
    const next = new PrimaryClient({
      ...connection,
      keepAlive: true,
      connectionTimeoutMillis: answerWithinMs,
      query_timeout: answerWithinMs,
      application_name: 'atoll listener',
    })
    next.on('error', (error) => log.warn({ err: error }, 'the listening connection failed'))
    await next.connect()
    next.on('notification', (message) => deliver(message.channel, message.payload))
    try {
      for (const channel of handlers.keys()) await listenOn(next, channel)
    } catch (error) {
      await next.end()
      throw error
    }
    // Closed while this connection was made.
    if (closed) return await next.end()
    client = next
    failures = 0
    next.on('end', () => {
      client = undefined
      clearInterval(heartbeat)
      reconnectLater()
    })
    heartbeat = setInterval(() => {
      settled = settled
        .then(() => next.query('select 1'))
        .catch((error: unknown) => {
          log.warn({ err: error }, 'the listening connection does not answer')
          // Its end reconnects.
          return next.end()
        })
    }, heartbeatMs)
  }

  function reconnectLater(): void {
    if (closed) return
    failures += 1
    retryTimer = setTimeout(
      () => {
        connect().then(
          () => {
            if (closed) return
            log.info('listening again')
            for (const fn of resyncs) callSafely(fn, 'resync')
          },
          (error: unknown) => {
            log.warn({ err: error }, 'cannot listen yet')
            reconnectLater()
          },
        )
      },
      backoffMs(failures, backoff),
    )
  }

  await connect()

  return {
    on(channel, fn) {
      let set = handlers.get(channel)
      if (!set) {
        set = new Set()
        handlers.set(channel, set)
        // When this fails the connection is ending, and the next one listens on every channel.
        const target = client
        // One after the other: a connection of pg runs one query at a time.
        if (target)
          settled = settled
            .then(() => listenOn(target, channel))
            .catch((error: unknown) => log.warn({ err: error, channel }, 'listening failed; the next connection will'))
      }
      set.add(fn)
      return () => set.delete(fn)
    },
    onResync(fn) {
      resyncs.add(fn)
      return () => resyncs.delete(fn)
    },
    async ready() {
      await settled
    },
    connected: () => client !== undefined,
    async close() {
      closed = true
      clearTimeout(retryTimer)
      clearInterval(heartbeat)
      // A pending LISTEN would only be reported as failed.
      await settled
      await client?.end()
    },
  }
}
