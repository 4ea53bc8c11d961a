import type { AgentCommand, AgentState } from '@atoll/contract/agents'
import fc from 'fast-check'
import { expect, it } from 'vitest'
import { type AgentTask, hasEnded } from '../task-protocol.ts'
import { isDoneByOldState, oldCommandFor } from './old-commands.ts'

/** Those that were commands of their own. */
type OldKind = 'drain' | 'rotate' | 'restart' | 'leave'

interface Row extends AgentTask {
  /** How often an end was recorded. */
  ends: number
}

/**
 * An agent without tasks, and the server's rules for it. Messages are lost with their connection, and may come again.
 */
function createOldWorld() {
  const rows: Row[] = []
  /** Its state on disk. */
  const kept = { rotated: null as string | null, hasLeft: false }
  let boots = 1
  let drained: string | null = null
  const obeyed: string[] = []
  let isConnected = false
  let toServer: AgentState[] = []
  let toAgent: AgentCommand[] = []
  const open = () => rows.filter(({ state }) => !hasEnded(state))

  function report(): void {
    const { state, taskId } = { state: 'waiting', taskId: null } as const
    const install = { state, taskId, reason: null, steps: [] }
    const fields = { osActive: true, oneTimePassword: null, drainedTask: drained, rotatedTask: kept.rotated }
    if (isConnected && !kept.hasLeft)
      toServer.push({
        type: 'state',
        protocol: 1,
        agentVersion: '1',
        bootId: `boot ${boots}`,
        port: 1,
        install,
        ...fields,
      })
  }

  function speak(): void {
    if (isConnected) toAgent.push(...open().flatMap((row) => oldCommandFor(row) ?? []))
  }

  function end(row: Row): void {
    Object.assign(row, { state: 'done', ends: row.ends + 1 })
  }

  function obey(command: AgentCommand): void {
    if (command.type === 'drain') drained = command.taskId
    if (command.type === 'rotate') kept.rotated = command.taskId
    if (command.type === 'leave') kept.hasLeft = true
    obeyed.push(command.type)
    // Sent over the connection that the command came on; should it be lost, nobody comes back.
    if (command.type === 'leave')
      open()
        .filter(({ kind }) => kind === 'leave')
        .forEach(end)
    if (command.type === 'restart' && command.bootId === `boot ${boots}`) kill()
    report()
  }

  function connect(): void {
    if (isConnected || kept.hasLeft) return
    isConnected = true
    report()
    speak()
  }

  function cut(): void {
    isConnected = false
    toServer = []
    toAgent = []
  }

  function kill(): void {
    cut()
    boots += 1
    drained = null
  }

  function take<T>(queue: T[], again: boolean): T | undefined {
    return again ? queue[0] : queue.shift()
  }

  return {
    rows,
    obeyed,
    connect,
    cut,
    kill,
    ask(kind: OldKind) {
      // As the insert refuses it.
      if (open().some((row) => row.kind === kind)) return
      const params = { drain: { withinMs: 1 }, rotate: {}, restart: { bootId: `boot ${boots}` }, leave: { wipe: true } }
      const fresh = { state: 'waiting', isCancelAsked: false, ends: 0 } as const
      const task = { kind, instanceId: 'in', params: params[kind], progress: null, result: null, reason: null }
      rows.push({ id: `at_${rows.length}`, ...task, ...fresh })
      speak()
    },
    toServer(again: boolean) {
      const state = take(toServer, again)
      if (state)
        open()
          .filter((row) => isDoneByOldState(row, state))
          .forEach(end)
    },
    toAgent(again: boolean) {
      const command = take(toAgent, again)
      if (command) obey(command)
    },
    calm() {
      for (let round = 0; round < 20; round += 1) {
        connect()
        while (toServer.length > 0 || toAgent.length > 0) {
          this.toServer(false)
          this.toAgent(false)
        }
        cut()
      }
    },
  }
}

const oldAct = fc.oneof(
  fc.record({ act: fc.constant('ask' as const), kind: fc.constantFrom('drain', 'rotate', 'restart') }),
  fc.record({ act: fc.constantFrom('toServer', 'toAgent'), again: fc.boolean() }),
  fc.record({ act: fc.constantFrom('connect', 'cut', 'kill') }),
)

it('an agent without tasks drains, rotates, restarts and leaves, each with one recorded end', () => {
  fc.assert(
    fc.property(fc.array(oldAct, { maxLength: 60, size: 'max' }), fc.boolean(), (acts, leaves) => {
      const world = createOldWorld()
      for (const next of acts) {
        if (next.act === 'ask') world.ask(next.kind as OldKind)
        else if (next.act === 'toServer' || next.act === 'toAgent') world[next.act](next.again)
        else world[next.act]()
      }
      world.calm()
      if (leaves) world.ask('leave')
      world.calm()
      for (const row of world.rows) {
        expect(row).toMatchObject({ state: 'done', ends: 1 })
        // A restart is also done if the agent had already restarted for another reason.
        if (row.kind !== 'restart') expect(world.obeyed).toContain(row.kind)
      }
    }),
  )
})
