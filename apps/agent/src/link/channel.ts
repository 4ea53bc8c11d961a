/**
 * The one connection to the control plane: kept open, opened again after any break. On opening the whole state is
 * sent, then again on every change; nothing is queued while it is away, since the next opening says everything.
 */
import { setTimeout as sleep } from 'node:timers/promises'
import {
  type AgentBoot,
  AgentCommand,
  type AgentMessage,
  type AgentMetrics,
  type AgentState,
  agentBootHeaders,
  agentChannelPath,
  agentMessageLimit,
  agentReportIntervalMs,
  type MachineRefusal,
  machineRefusalCodes,
  machineRefusals,
} from '@atoll/contract/agents'
import { backoffMs } from '@atoll/contract/wire'
import { describeError, type Log } from '../kernel/log.ts'
import type { Enrolled } from './enroll.ts'

/** The control plane says something every 5 s; silent for four of them, the connection is taken for dead. ms */
const silenceLimitMs = 20_000
/** A person sees no difference, and an install of a fraction of a second costs the control plane three messages. ms */
const gatherMs = 150
/** A connection that lasted this long was a good one: the next break is answered quickly. ms */
const settledMs = 5000
/** One that its owner may choose asks again after this, ms. */
const refusedMs = 5000
const backoff = { firstMs: 200, longestMs: 5000 }

export interface ChannelOptions {
  /** Of the control plane, the best first. */
  addresses(): readonly [string, ...string[]]
  /** It is reached at this one of them. */
  onReached(address: string): void
  enrolled: Enrolled
  boot: AgentBoot
  log: Log
  readState(): AgentState
  measure(): Promise<AgentMetrics>
  onCommand(command: AgentCommand): void
  /** This machine is refused: for good, or it is asked again every `refusedMs`. */
  onRefused(refusal: MachineRefusal): void
}

export interface Channel {
  readonly isOpen: boolean
  /**
   * Sends the newest state: at once when the install as a whole or activation moved, else within `gatherMs`, so that a
   * burst of log lines is one message.
   */
  reportState(): void
  /** Resolves at once while it is open, else when it opens next. */
  whenOpen(): Promise<void>
  /** Sends a task's progress while the channel is open. */
  sayProgress(taskId: string, progress: Record<string, unknown>): void
  /** Says that this agent obeyed `leave`; resolves when it was handed to the network, or cannot be. */
  sayLeft(): Promise<void>
  /** Ends the connection and opens it at the best address; where that does not answer, at the next. */
  redial(): void
  close(): Promise<void>
}

export function openChannel(options: ChannelOptions): Channel {
  const { log, readState, measure, onCommand } = options
  const closing = new AbortController()
  let socket: WebSocket | undefined
  let opened = Promise.withResolvers<void>()
  let dueReport: NodeJS.Timeout | undefined
  let lastHeadline = ''
  /** By the other side, the last time. */
  let closedWith: number | undefined
  /** Which address is next. */
  let turn = 0
  let endCurrent: ((reason: string) => void) | undefined
  const whenClosed = keepOpen()

  async function keepOpen(): Promise<void> {
    let failures = 0
    while (!closing.signal.aborted) {
      const openedAt = performance.now()
      closedWith = undefined
      const addresses = options.addresses()
      const reason = await connectOnce(addresses[turn % addresses.length] ?? addresses[0])
      turn += 1
      if (closing.signal.aborted) return
      const refusal = refusalOf(closedWith)
      if (refusal) options.onRefused(refusal)
      if (refusal === 'machineReplaced') return
      if (refusal) {
        await sleep(refusedMs, undefined, { signal: closing.signal }).catch(() => undefined) // aborted: the loop ends
        continue
      }
      const isSettled = performance.now() - openedAt > settledMs
      if (isSettled) turn = 0
      failures = isSettled ? 1 : failures + 1
      const waitMs = backoffMs(failures, backoff)
      log.warn('link', `not connected (${reason}); next try in ${waitMs} ms`)
      await sleep(waitMs, undefined, { signal: closing.signal }).catch(() => undefined) // aborted: the loop ends
    }
  }

  /** Resolves with the reason when the connection is over. */
  function connectOnce(address: string): Promise<string> {
    const { promise, resolve } = Promise.withResolvers<string>()
    const { instanceId, token } = options.enrolled
    const url = address.replace(/^http/, 'ws') + agentChannelPath
    const current = new WebSocket(url, {
      headers: { authorization: `Bearer ${instanceId}.${token}`, ...agentBootHeaders.write(options.boot) },
    })
    // Heartbeats reset it. A half-open connection would otherwise look alive until TCP gives up, some 15 min.
    const silence = setTimeout(() => end('the control plane fell silent'), silenceLimitMs)
    const metrics = setInterval(() => void sendMetrics(current), agentReportIntervalMs)

    function end(reason: string): void {
      clearTimeout(silence)
      clearInterval(metrics)
      closing.signal.removeEventListener('abort', onClosing)
      if (socket === current) {
        socket = undefined
        opened = Promise.withResolvers()
      }
      current.close()
      resolve(reason)
    }
    endCurrent = end
    const onClosing = () => end('stopping')
    closing.signal.addEventListener('abort', onClosing, { once: true })

    current.addEventListener('open', () => {
      socket = current
      opened.resolve()
      log.info('link', `connected to ${address}`)
      options.onReached(address)
      flush()
      void sendMetrics(current)
    })
    current.addEventListener('message', (event) => {
      if (socket !== current) return // ended by us; what was still on its way comes again
      silence.refresh()
      const command = readCommand(event.data)
      if (command) onCommand(command)
    })
    current.addEventListener('error', (event) =>
      end('error' in event ? describeError(event.error) : 'connection failed'),
    )
    current.addEventListener('close', (event) => {
      closedWith = event.code
      end(event.reason || `closed with ${event.code}`)
    })
    return promise
  }

  function flush(): void {
    clearTimeout(dueReport)
    dueReport = undefined
    const state = readState()
    lastHeadline = headlineOf(state)
    if (socket) send(socket, state)
  }

  async function sendMetrics(target: WebSocket): Promise<void> {
    if (target.readyState !== WebSocket.OPEN) return
    try {
      send(target, { type: 'metrics', metrics: await measure() })
    } catch (error) {
      log.warn('observe', `not measured: ${describeError(error)}`)
    }
  }

  /** An unknown command is from a newer control plane: it is left out, and the rest goes on. */
  function readCommand(data: unknown): AgentCommand | undefined {
    if (typeof data !== 'string' || data.length > agentMessageLimit) {
      log.warn('link', 'a message that is too large or not text was ignored')
      return undefined
    }
    try {
      return AgentCommand.parse(JSON.parse(data))
    } catch {
      log.warn('link', 'a command that this agent does not understand was ignored')
      return undefined
    }
  }

  return {
    get isOpen() {
      return socket !== undefined
    },
    reportState() {
      if (headlineOf(readState()) !== lastHeadline) flush()
      else dueReport ??= setTimeout(flush, gatherMs)
    },
    whenOpen: () => opened.promise,
    sayProgress(taskId, progress) {
      if (socket) send(socket, { type: 'progress', taskId, progress })
    },
    async sayLeft() {
      const last = socket
      if (last?.readyState !== WebSocket.OPEN) return
      clearTimeout(dueReport)
      send(last, { type: 'left' })
      closing.abort() // closes after what was sent, and is not opened again
      await whenClosed
    },
    redial() {
      // The end of this connection takes the next turn.
      turn = -1
      endCurrent?.('another address is better')
    },
    async close() {
      clearTimeout(dueReport)
      closing.abort()
      await whenClosed
    },
  }
}

function refusalOf(code: number | undefined): MachineRefusal | undefined {
  return machineRefusals.find((refusal) => machineRefusalCodes[refusal] === code)
}

/** Changes that are sent as a message of their own. */
function headlineOf({ install, osActive, oneTimePassword, restic, tasks }: AgentState): string {
  const ended = tasks.map(({ taskId, state }) => `${taskId} ${state}`)
  return `${install.taskId} ${install.state} ${osActive} ${oneTimePassword !== null} ${restic} ${ended}`
}

function send(socket: WebSocket, message: AgentMessage): void {
  if (socket.readyState === WebSocket.OPEN) socket.send(JSON.stringify(message))
}
