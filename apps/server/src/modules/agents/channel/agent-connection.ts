/**
 * One connection of an agent. Of it the database knows its id (as the holder of a lease); what comes over another one
 * is not stored. States, all in `serveAgent`:
 *   opening   the row is made ours (an older connection, here or in another process, is ended)
 *   open      reports are stored; config, install, tasks and beats are sent
 *   over      closed by either side, silent for 15 s, or replaced; the row is cleared if it is still ours
 * A report is a full snapshot, so only the newest waits while one is being stored, and until the next may be: memory
 * and what an agent costs are bounded. A connection that fails in the middle is closed, the agent comes back and says
 * everything again.
 */
import { type AgentCommand, type AgentState, machineRefusalCodes, taskKinds } from '@atoll/contract/agents'
import type { RawData, WebSocket } from 'ws'
import type { Clock } from '../../../platform/clock.ts'
import type { Complaints } from '../../../platform/complaints.ts'
import { randomToken, type Sealer } from '../../../platform/crypto.ts'
import type { Db, Trx } from '../../../platform/db/index.ts'
import type { Gate } from '../../../platform/gate.ts'
import type { Log } from '../../../platform/log.ts'
import type { SampleWriter } from '../../observe/index.ts'
import { readAgentMessage } from '../agent-message.ts'
import { wakeAgent } from '../agent-service.ts'
import {
  type AgentRef,
  clearConnection,
  findConnection,
  findPendingInstall,
  saveState,
  setConnection,
} from '../agent-store.ts'
import { endLeave } from '../hosts/host-service.ts'
import { agentPace, paceMessages } from '../paced-messages.ts'
import type { TaskKinds } from '../task-protocol.ts'
import { createTaskExchange, type OnTaskChange } from '../tasks/task-exchange.ts'
import { shortenState } from './shorten-state.ts'

export type AgentDescription = Omit<Extract<AgentCommand, { type: 'config' }>, 'type' | 'now'>

export interface AgentConnectionDeps {
  db: Db
  clock: Clock
  sealer: Sealer
  log: Log
  onAgentChange(trx: Trx, agent: AgentRef): Promise<void>
  /** In the transaction that records a task's change: wakes the process that requested the task. */
  onTaskChange: OnTaskChange
  /** By their names; default: those of the contract. */
  taskKinds?: TaskKinds
  /** The description of its instance for an agent; undefined if the instance is gone. */
  describeInstance(db: Db, instanceId: string): Promise<AgentDescription | undefined>
}

/** One living connection of this process. */
export interface AgentConnection {
  id: string
  instanceId: string
  /** When anything arrived last, ms of a steady clock. */
  receivedAt: number
  /** Whether the database names it: before that it cannot have been replaced. */
  isOpened: boolean
  /** Resolves when what was begun on it is done. */
  idle(): Promise<unknown>
  offer(what: 'install' | 'tasks' | 'config'): void
  /** Says that the connection lives, and once more what may have been lost. */
  beat(): void
  /** Asks the database whether this is still the agent's connection, and ends it if not: notifications may be late. */
  checkOwnership(): void
  send(command: AgentCommand): void
  end(code: number, reason: string): void
}

/** Codes 4000–4999 are the application's own (RFC 6455, 7.4.2). */
export const closeCodes = {
  ...machineRefusalCodes,
  replaced: 4001,
  forgotten: 4002,
  misunderstood: 1008,
  failed: 1011,
  silent: 4003,
} as const

/**
 * Measurements that come faster are left out: agents send one every 5 s, and what waits to be written is shared. ms
 */
const leastBetweenMetricsMs = 1000

/** At most four states a second are stored; of those between, the newest. ms */
const leastBetweenStatesMs = 250
/** Largest stored state, bytes of JSON: the lines of an install are shortened before a state is refused. */
const largestState = 64 * 1024

export interface Serving {
  socket: WebSocket
  instanceId: string
  /** As the agent named this server. */
  host: string
  connections: Map<string, AgentConnection>
  samples: SampleWriter
  /** Queues its database work: a thousand agents that reconnect at once are served in order. */
  gate: Gate
  /** Limits the log messages about faults that the agent may repeat at any rate. */
  complaints: Complaints
}

/** Serves one connection; resolves when it is over and the database says so. Never rejects. */
export async function serveAgent(
  deps: AgentConnectionDeps,
  { socket, instanceId, host, connections, samples, gate, complaints }: Serving,
): Promise<void> {
  const { db, sealer } = deps
  const id = randomToken(12)
  const log = deps.log.child({ instanceId, connection: id })
  const over = Promise.withResolvers<void>()
  let newest: AgentState | undefined
  /** As its row says; known once this connection is the row's. */
  let clusterId: string | undefined
  let lastStored = ''
  let offeredInstall: string | undefined
  let measuredAt = Number.NEGATIVE_INFINITY
  let storedAt = Number.NEGATIVE_INFINITY
  let dueStore: NodeJS.Timeout | undefined
  /** All work on this connection, one after another. */
  let work: Promise<unknown> = Promise.resolve()

  const connection: AgentConnection = {
    id,
    instanceId,
    receivedAt: performance.now(),
    isOpened: false,
    idle: () => work,
    offer: (what) => inOrder({ install: offerInstall, tasks: tasks.offer, config: sendConfig }[what]),
    beat() {
      connection.send({ type: 'beat' })
      inOrder(tasks.offerAgain)
    },
    checkOwnership: () => inOrder(endIfReplaced),
    send(command) {
      if (socket.readyState === socket.OPEN) socket.send(JSON.stringify(command))
    },
    end(code, reason) {
      socket.close(code, reason)
      // A peer that does not answer the close is not waited for.
      setTimeout(() => socket.terminate(), 1000).unref()
    },
  }

  const tasks = createTaskExchange({
    db,
    sealer,
    kinds: deps.taskKinds ?? taskKinds,
    instanceId,
    connectionId: id,
    send: (command) => connection.send(command),
    onTaskChange: deps.onTaskChange,
  })

  function inOrder(step: () => Promise<void>): void {
    work = work
      .then(() => gate(step))
      .catch((error: unknown) => {
        log.error({ err: error }, 'an agent could not be served; it will connect again')
        connection.end(closeCodes.failed, 'try again')
      })
  }

  const complain = (message: string, fields: object = {}) =>
    complaints.warn(instanceId, message, { instanceId, connection: id, ...fields })
  const paced = paceMessages(socket, agentPace, {
    take,
    onHeldBack: () => complain('an agent sends faster than any agent does; it is held back'),
  })

  function take(data: RawData, isBinary: boolean): void {
    connection.receivedAt = performance.now()
    const message = isBinary ? undefined : readAgentMessage(data.toString())
    if (!message) {
      complain('an agent sent what is not a message; closed')
      connection.end(closeCodes.misunderstood, 'not a message of this protocol')
    } else if (message.type === 'unstorable') {
      complain('an agent sent a null character; closed', { field: message.field })
      connection.end(closeCodes.misunderstood, 'a null character')
    } else if (message.type === 'refusedMetrics') {
      complain('a measurement that cannot be true is left out', { fields: message.fields.join(', ') })
    } else if (message.type === 'metrics') {
      if (connection.receivedAt - measuredAt < leastBetweenMetricsMs) return
      measuredAt = connection.receivedAt
      samples.add(instanceId, message.metrics)
    } else if (message.type === 'state') {
      takeState(message)
    } else if (message.type === 'progress') {
      if (tasks.takes(message)) inOrder(() => tasks.progress(message))
    } else {
      storeAtOnce()
      inOrder(noteLeft)
    }
  }

  function takeState(state: AgentState): void {
    newest = state
    dueStore ??= setTimeout(storeAtOnce, Math.max(0, storedAt + leastBetweenStatesMs - connection.receivedAt))
  }

  function storeAtOnce(): void {
    inOrder(storeNewest)
  }

  socket.on('pong', () => {
    connection.receivedAt = performance.now()
  })
  socket.on('error', (error) => log.warn({ err: error }, 'the connection of an agent failed'))
  socket.on('close', () => {
    paced.stop()
    over.resolve()
  })

  async function open(): Promise<void> {
    if (connections.get(instanceId) !== connection) return
    // The messages that the agent waits for do not depend on the row.
    const [isKnown] = await Promise.all([claim(), sendConfig(), offerInstall()])
    if (isKnown) connection.isOpened = true
    else connection.end(closeCodes.forgotten, 'the instance is gone')
  }

  /** Makes the row ours; false when there is none. */
  async function claim(): Promise<boolean> {
    return await db.transaction().execute(async (trx) => {
      const claimed = await setConnection(trx, { instanceId, connectionId: id, host })
      if (!claimed) return false
      clusterId = claimed.ref.clusterId
      if (claimed.previous !== null) await wakeAgent(trx, { instanceId, what: 'replaced' })
      await deps.onAgentChange(trx, claimed.ref)
      return true
    })
  }

  async function endIfReplaced(): Promise<void> {
    if (connection.isOpened && (await findConnection(db, instanceId)) !== id)
      connection.end(closeCodes.replaced, 'another connection took over')
  }

  async function sendConfig(): Promise<void> {
    const description = await deps.describeInstance(db, instanceId)
    if (description) connection.send({ ...description, type: 'config', now: deps.clock.now().getTime() })
  }

  async function noteLeft(): Promise<void> {
    const agent = clusterId === undefined ? undefined : { clusterId, instanceId }
    const wasAsked = agent && (await db.transaction().execute((trx) => endLeave(trx, agent, deps.onTaskChange)))
    if (wasAsked) return log.info('an agent left')
    complain('an agent said that it left, though nobody asked it to; closed')
    connection.end(closeCodes.misunderstood, 'nobody asked it to leave')
  }

  async function offerInstall(): Promise<void> {
    const install = await findPendingInstall(db, instanceId)
    if (!install || install.taskId === offeredInstall) return
    offeredInstall = install.taskId
    const { taskId, version, steps, script } = install
    connection.send({ type: 'install', taskId, version, steps: [...steps], ...(script !== undefined && { script }) })
  }

  /** Safe to call when nothing is new. */
  async function storeNewest(): Promise<void> {
    clearTimeout(dueStore)
    dueStore = undefined
    const state = newest && shortenState(newest, largestState)
    newest = undefined
    const text = JSON.stringify(state)
    if (!state || text === lastStored) return
    storedAt = performance.now()
    if (Buffer.byteLength(text) > largestState) {
      lastStored = text
      return complain('a state of an agent is too large to be stored; it is left out')
    }
    if (state.clusterId !== undefined && state.clusterId !== clusterId) {
      complain('an agent named a cluster that is not its own; closed', { named: state.clusterId })
      return connection.end(closeCodes.misunderstood, 'another cluster')
    }
    const sealed =
      state.oneTimePassword === null ? null : sealer.seal("instance's first password", state.oneTimePassword)
    const isOurs = await db.transaction().execute(async (trx) => {
      const ref = await saveState(trx, { instanceId, connectionId: id }, state, sealed)
      if (ref) await tasks.store(trx, ref, state)
      if (ref) await deps.onAgentChange(trx, ref)
      return ref !== undefined
    })
    if (!isOurs) return connection.end(closeCodes.replaced, 'another connection took over')
    lastStored = text
    await tasks.answer(state)
  }

  const previous = connections.get(instanceId)
  connections.set(instanceId, connection)
  previous?.end(closeCodes.replaced, 'another connection took over')
  log.debug('an agent connected')
  // Two connections in quick succession: the row must end up naming the later one.
  if (previous) work = previous.idle()
  inOrder(open)
  await over.promise
  storeAtOnce()
  await work
  if (connections.get(instanceId) === connection) connections.delete(instanceId)
  try {
    await gate(() =>
      db.transaction().execute(async (trx) => {
        const ref = await clearConnection(trx, id, instanceId)
        if (ref) await deps.onAgentChange(trx, ref)
      }),
    )
  } catch (error) {
    log.warn({ err: error }, 'a disconnect was not stored; the sweep will see the silence')
  }
  log.debug('an agent disconnected')
}
