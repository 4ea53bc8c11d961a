/**
 * The relay of one edge process: takes agents' connections in, and finds an agent wherever its connection is.
 *   here       a connection of this process: tunnels of its own HTTP/2 session
 *   elsewhere  another edge holds it, which the lease names: the request is passed on to that edge
 * An agent dials once and lands on whichever edge the load balancer gives it. The newest connection counts: an older
 * one is ended, here at once and elsewhere when that process next notes its own.
 */
import type { IncomingHttpHeaders, IncomingMessage } from 'node:http'
import type { Duplex } from 'node:stream'
import { type MachineRefusal, machineRefusalHeader } from '@atoll/contract/agents'
import { z } from 'zod'
import { randomToken } from '../../platform/crypto.ts'
import type { Db } from '../../platform/db/index.ts'
import { type Listener, notify, notifyAll } from '../../platform/events/index.ts'
import {
  expireLeases,
  findLease,
  reclaimLease,
  releaseLeases,
  renewLeases,
  takeLease,
} from '../../platform/leases/index.ts'
import type { Log } from '../../platform/log.ts'
import { startTicker, type Ticker } from '../../platform/ticker.ts'
import type { Met } from '../agents/index.ts'
import { createAdmission } from './admission.ts'
import { openConnection, type RelayConnection } from './relay-connection.ts'
import type { TunnelAgent } from './tunnel-agent.ts'

type Proven = Extract<Met, { instanceId: string }>

export interface RelayDeps {
  db: Db
  listener: Listener
  log: Log
  /**
   * The instance whose agent dials, or why its machine is refused; undefined when it proves none. `prove`: called once
   * the agent has said something, and says whether it may serve.
   */
  meetDial(headers: IncomingHttpHeaders): Promise<Met>
  /** Those of `instanceIds` whose agents may stay. */
  listEnrolled(instanceIds: readonly string[]): Promise<string[]>
}

export type RelayEndpoint = { kind: 'here'; agent: TunnelAgent } | { kind: 'elsewhere'; edgeUrl: string }

export interface Relay {
  /** From when on other edges reach this one; before it nobody is admitted. */
  announce(edgeUrl: string): void
  /** Answers an agent's upgrade; `address`: who dials, as far as the edge knows. Never rejects. */
  admit(req: IncomingMessage, socket: Duplex, head: Buffer, address: string): Promise<void>
  /**
   * Where an instance's agent is reached; waits `waitMs` for one whose connection is away. `here`: search this process
   * only.
   */
  find(instanceId: string, options: { waitMs: number; here?: boolean }): Promise<RelayEndpoint | undefined>
  /** Drops a cached address that did not answer; the next `find` looks it up again. */
  forget(instanceId: string): void
  close(): Promise<void>
}

/** Kind of the lease of an instance's relay connection; its place is the address of the edge. */
const kind = 'relay'
const noteEveryMs = 3000
/** A lease that its process has not renewed for so long is of one that died. ms */
const silentMs = 10_000
const expiryLimit = 200
/** How long another edge's address is believed; a notice of a change ends it sooner. ms */
const keptMs = 2000
const changeChannel = 'atoll_relay'
const Change = z.object({ instanceId: z.string(), connectionId: z.string().nullable() })

export function createRelay(deps: RelayDeps): Relay {
  const { db, listener, log } = deps
  const connections = new Map<string, RelayConnection>()
  const elsewhere = new Map<string, { edgeUrl: string | undefined; until: number }>()
  const waiting = new Map<string, Set<() => void>>()
  const leaving = new Set<Promise<void>>()
  /** Connections that are over, with their instances; the database does not know yet. */
  const ended = new Map<string, string>()
  let forgetting: Promise<void> | undefined
  const refusalOf = createAdmission()
  let ownUrl: string | undefined

  async function admit(req: IncomingMessage, socket: Duplex, head: Buffer, address: string): Promise<void> {
    try {
      const verdict = refusalOf({ address, authorization: req.headers.authorization }, connections.size)
      if (verdict !== undefined) return refuseUpgrade(socket, verdict)
      if (ownUrl === undefined) return refuseUpgrade(socket, '503 Service Unavailable')
      const met = await deps.meetDial(req.headers)
      if (met === undefined) return refuseUpgrade(socket, '401 Unauthorized')
      if ('refusal' in met) return refuseMachine(socket, met.refusal)
      if (socket.destroyed) return
      await open(met, socket, head, ownUrl)
    } catch (error) {
      log.error({ err: error }, 'an agent could not be taken into the relay; it will dial again')
      socket.destroy()
    }
  }

  /** The row is written before the agent is answered: one that dials again writes its own after this one. */
  async function open({ instanceId, prove }: Proven, socket: Duplex, head: Buffer, edgeUrl: string): Promise<void> {
    const id = randomToken(12)
    if (!prove) await takePlace(id, instanceId, edgeUrl)
    if (socket.destroyed) return await forgetConnection(id, instanceId)
    socket.write('HTTP/1.1 101 Switching Protocols\r\nConnection: Upgrade\r\nUpgrade: atoll-relay\r\n\r\n')
    if (head.length > 0) socket.unshift(head)
    const connection = openConnection(socket, { id, instanceId })
    // One that has to prove that it lives takes nobody's place before that.
    if (prove) {
      const isAlive = await connection.alive
      if (!isAlive || (await prove()) !== 'serves') return connection.end('its boot may not serve')
      if (ownUrl === undefined) return connection.end('the server stops')
      await takePlace(id, instanceId, edgeUrl)
    }
    connections.get(instanceId)?.end('another connection took over')
    connections.set(instanceId, connection)
    const gone = serveUntilOver(connection)
    leaving.add(gone)
    void gone.finally(() => leaving.delete(gone))
    wake(instanceId)
    log.info({ instanceId, connection: id }, 'an agent dialled the relay')
  }

  async function takePlace(id: string, instanceId: string, edgeUrl: string): Promise<void> {
    await db.transaction().execute(async (trx) => {
      await takeLease(trx, { kind, name: instanceId, holder: id, place: edgeUrl })
      await notify(trx, changeChannel, { instanceId, connectionId: id } satisfies z.infer<typeof Change>)
    })
  }

  async function serveUntilOver(connection: RelayConnection): Promise<void> {
    const { id, instanceId } = connection
    const reason = await connection.over
    if (connections.get(instanceId) === connection) connections.delete(instanceId)
    log.info({ instanceId, connection: id, reason }, 'a relay connection is over')
    await forgetConnection(id, instanceId)
  }

  /**
   * All that end while one writing is under way are written by the next one: an edge that stops, or whose line is cut,
   * loses hundreds at once.
   */
  async function forgetConnection(id: string, instanceId: string): Promise<void> {
    ended.set(id, instanceId)
    forgetting ??= forgetEnded().finally(() => {
      forgetting = undefined
    })
    await forgetting
  }

  async function forgetEnded(): Promise<void> {
    while (ended.size > 0) {
      const batch = [...ended]
      ended.clear()
      try {
        await db.transaction().execute(async (trx) => {
          const holders = batch.map(([id]) => id)
          await releaseLeases(trx, kind, holders)
          const news = batch.map(([, instanceId]): z.infer<typeof Change> => ({ instanceId, connectionId: null }))
          await notifyAll(trx, changeChannel, news)
        })
      } catch (error) {
        log.warn({ err: error }, 'the end of relay connections was not stored; they run out by themselves')
      }
    }
  }

  async function find(
    instanceId: string,
    { waitMs, here = false }: { waitMs: number; here?: boolean },
  ): Promise<RelayEndpoint | undefined> {
    const deadline = performance.now() + waitMs
    for (;;) {
      // The cache only keeps agents that were found, not that there was none.
      if (elsewhere.get(instanceId)?.edgeUrl === undefined) elsewhere.delete(instanceId)
      // Before the lookup: what comes while the database is asked must not be missed.
      const news = subscribe(instanceId)
      const endpoint = await lookUp(instanceId, here)
      const left = deadline - performance.now()
      if (endpoint || left <= 0) {
        news.stop()
        return endpoint
      }
      await news.wait(left)
    }
  }

  async function lookUp(instanceId: string, here: boolean): Promise<RelayEndpoint | undefined> {
    const connection = connections.get(instanceId)
    if (connection) return { kind: 'here', agent: connection.agent }
    if (here) return undefined
    let known = elsewhere.get(instanceId)
    if (!known || known.until < performance.now()) {
      const lease = await findLease(db, kind, instanceId, silentMs)
      known = { edgeUrl: lease?.place ?? undefined, until: performance.now() + keptMs }
      elsewhere.set(instanceId, known)
    }
    const { edgeUrl } = known
    if (edgeUrl === undefined || edgeUrl === ownUrl) return undefined
    return { kind: 'elsewhere', edgeUrl }
  }

  /** Listens for a change of the instance's connection, anywhere. */
  function subscribe(instanceId: string): { wait(ms: number): Promise<void>; stop(): void } {
    const { promise, resolve } = Promise.withResolvers<void>()
    const listeners = waiting.get(instanceId) ?? new Set()
    waiting.set(instanceId, listeners.add(resolve))
    function stop(): void {
      listeners.delete(resolve)
      if (listeners.size === 0 && waiting.get(instanceId) === listeners) waiting.delete(instanceId)
      resolve()
    }
    return {
      stop,
      async wait(ms) {
        const timer = setTimeout(resolve, ms)
        await promise
        clearTimeout(timer)
        stop()
      },
    }
  }

  function wake(instanceId: string): void {
    elsewhere.delete(instanceId)
    for (const resolve of waiting.get(instanceId) ?? []) resolve()
  }

  const stopListening = [
    listener.on(changeChannel, (payload) => {
      const { instanceId, connectionId } = Change.parse(payload)
      const mine = connections.get(instanceId)
      if (connectionId !== null && mine && mine.id !== connectionId) void check(mine)
      wake(instanceId)
    }),
    listener.onResync(() => {
      elsewhere.clear()
      for (const instanceId of waiting.keys()) wake(instanceId)
    }),
  ]

  /** Notes this process's connections, and ends those that the database no longer names or whose agent is gone. */
  async function noteConnections(): Promise<void> {
    const all = [...connections.values()]
    if (all.length === 0) return
    const [ours, enrolled] = await Promise.all([
      renewLeases(
        db,
        kind,
        all.map(({ id }) => id),
      ),
      deps.listEnrolled(all.map(({ instanceId }) => instanceId)),
    ])
    const [isOurs, isEnrolled] = [new Set(ours), new Set(enrolled)]
    for (const connection of all) {
      if (!isEnrolled.has(connection.instanceId)) connection.end('the instance is gone')
      else if (!isOurs.has(connection.id)) await endOrClaim(connection)
    }
  }

  /** Another connection is said to have come in its place; one that cannot be asked about is noted with all others. */
  async function check(connection: RelayConnection): Promise<void> {
    const checking = endOrClaim(connection).catch((error: unknown) =>
      log.warn({ err: error }, 'whose a relay connection is was not read; it is looked at again'),
    )
    leaving.add(checking)
    await checking
    leaving.delete(checking)
  }

  /** The lease names another connection, which counts; or it expired while this process stood still. */
  async function endOrClaim(connection: RelayConnection): Promise<void> {
    const { id: holder, instanceId: name } = connection
    const lease = await findLease(db, kind, name)
    if (lease && lease.holder !== holder) connection.end('another connection took over')
    else if (!lease && ownUrl !== undefined && connections.get(name) === connection)
      await reclaimLease(db, { kind, name, holder, place: ownUrl })
  }

  const startNotes = () =>
    startTicker(noteEveryMs, log, 'noting relay connections', async () => {
      await noteConnections()
      await db.transaction().execute((trx) => expireLeases(trx, kind, { silentMs, limit: expiryLimit }))
    })
  let notes: Ticker | undefined

  return {
    announce(edgeUrl) {
      ownUrl = edgeUrl
      notes ??= startNotes()
    },
    admit,
    find,
    forget: (instanceId) => void elsewhere.delete(instanceId),
    async close() {
      ownUrl = undefined
      for (const stop of stopListening) stop()
      for (const connection of connections.values()) connection.end('the server stops')
      for (const instanceId of waiting.keys()) wake(instanceId)
      await Promise.all([...leaving, notes?.stop()])
    },
  }
}

function refuseMachine(socket: Duplex, refusal: MachineRefusal): void {
  refuseUpgrade(socket, `403 Forbidden\r\n${machineRefusalHeader}: ${refusal}`)
}

/** `status`: with further headers, if any. */
function refuseUpgrade(socket: Duplex, status: string): void {
  socket.end(`HTTP/1.1 ${status}\r\nConnection: close\r\nContent-Length: 0\r\n\r\n`)
}
