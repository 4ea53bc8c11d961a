/**
 * Receives changes as LXD's events instead of polling. LXD announces neither the loss of a member nor the end of a
 * connection whose other side is gone, so the members are polled every few seconds; when that fails, or the socket
 * ends, another endpoint is tried, and everything is announced as possibly changed, since events may have been missed.
 */
import { setTimeout as delay } from 'node:timers/promises'
import { backoffMs } from '@atoll/contract/wire'
import { WebSocket } from 'undici'
import type { Log } from '../../../../platform/log.ts'
import type { InstanceChange, ProviderWatch } from '../../provider/compute-provider.ts'
import { LifecycleEvent } from './lxd-answers.ts'
import type { LxdClient } from './lxd-client.ts'
import { idOfName } from './lxd-instances.ts'
import { listMembers } from './lxd-members.ts'

/** LXD itself takes some 6 to 20 s to call a member offline. ms */
const pulseMs = 3000
const backoff = { firstMs: 250, longestMs: 10_000 }
/** One event of LXD is some hundred bytes. */
const eventLimit = 1024 * 1024
/** Events that change whether or where an instance runs. */
const watched = /^instance-(started|stopped|shutdown|restarted|deleted|paused|resumed|renamed|migrated)$/

export function watchLxd(
  client: LxdClient,
  { project, log }: { project: string; log: Log },
  onChange: (change: InstanceChange) => void,
): ProviderWatch {
  const ending = new AbortController()
  const { signal } = ending

  async function run(): Promise<void> {
    let failures = 0
    let isFirst = true
    /** Logged once, until LXD answers again or the cause is another. */
    let loggedRoot: string | undefined
    while (!signal.aborted) {
      try {
        await listen(() => {
          failures = 0
          if (loggedRoot !== undefined) log.info('LXD is heard again')
          loggedRoot = undefined
          if (!isFirst) onChange(null)
          isFirst = false
        })
      } catch (error) {
        if (signal.aborted) return
        // Changes during the outage are announced once LXD answers, even if it never answered before.
        isFirst = false
        const root = rootOf(error)
        if (root !== loggedRoot) log.warn({ cause: causeOf(error) }, 'LXD is not heard; it is tried again until it is')
        loggedRoot = root
      }
      failures += 1
      await delay(backoffMs(failures, backoff), undefined, { signal }).catch(() => undefined)
    }
  }

  /** Until the connection ends; rejects when LXD cannot be reached. */
  async function listen(onOpen: () => void): Promise<void> {
    const { url, dispatcher, leave } = client.upgrade('/1.0/events', { type: 'lifecycle', project })
    const socket = new WebSocket(url, { dispatcher })
    const listening = new AbortController()
    const ended = Promise.withResolvers<never>()
    socket.addEventListener('message', ({ data }) => {
      const id = changedInstance(data, project)
      if (id !== undefined) onChange(id)
    })
    // The socket's own error says only that there was one: a request, which meets the same outage, says why.
    const tell = async (what: string) => {
      if (listening.signal.aborted) return
      await listMembers(client).then(() => ended.reject(new Error(`LXD's events ${what}`)), ended.reject)
    }
    socket.addEventListener('close', ({ code }) => void tell(`ended (${code})`))
    socket.addEventListener('error', ({ message }) => void tell(`failed: ${message}`))
    const opened = new Promise<void>((resolve) => socket.addEventListener('open', () => resolve()))
    const stopped = new Promise<void>((resolve) => signal.addEventListener('abort', () => resolve(), { once: true }))
    // From the start: an endpoint that takes connections and says nothing is found out by it.
    const pulse = keepPulse(AbortSignal.any([signal, listening.signal]))
    try {
      await Promise.race([opened, ended.promise, stopped, pulse])
      onOpen()
      await Promise.race([ended.promise, stopped, pulse])
    } finally {
      listening.abort()
      leave()
      socket.close()
    }
  }

  /** Ends only by an error or the signal. */
  async function keepPulse(until: AbortSignal): Promise<void> {
    let before: string | undefined
    while (!until.aborted) {
      const members = await listMembers(client)
      const now = members.map(({ name, state }) => `${name} ${state}`).join('\n')
      if (before !== undefined && now !== before) {
        log.warn({ members }, 'the members of an LXD cluster changed')
        onChange(null)
      }
      before = now
      await delay(pulseMs, undefined, { signal: until }).catch(() => undefined)
    }
  }

  const running = run()
  return {
    async stop() {
      ending.abort()
      await running
    },
  }
}

/** The message of the first cause of an error. */
function rootOf(error: unknown): string {
  return error instanceof Error && error.cause !== undefined ? rootOf(error.cause) : causeOf(error)
}

/** The messages of an error and of what caused it. */
function causeOf(error: unknown): string {
  if (!(error instanceof Error)) return String(error)
  return error.cause === undefined ? error.message : `${error.message}: ${causeOf(error.cause)}`
}

/** The id of the instance of this deployment whose running state an event changes. */
function changedInstance(data: unknown, project: string): string | undefined {
  if (typeof data !== 'string' || data.length > eventLimit) return undefined
  const event = LifecycleEvent.safeParse(JSON.parse(data))
  if (!event.success || event.data.project !== project || !watched.test(event.data.metadata.action)) return undefined
  const name = /^\/1\.0\/instances\/([^/?]+)/.exec(event.data.metadata.source)?.[1]
  return name === undefined ? undefined : idOfName(name)
}
