/**
 * The protocol of tasks, the server's rules against the agent's runner, over a line that loses, repeats and reorders,
 * and with kills on either side. Rows and file are kept in memory; everything else is real.
 */
import { setImmediate } from 'node:timers/promises'
import { type AgentCommand, type TaskLane, type TaskReport, tasksPerLane } from '@atoll/contract/agents'
import fc from 'fast-check'
import { expect, it } from 'vitest'
import { z } from 'zod'
import { defineAgentTask } from '../../apps/agent/src/kernel/agent-task.ts'
import { createLog } from '../../apps/agent/src/kernel/log.ts'
import { untilAborted } from '../../apps/agent/src/kernel/until-aborted.ts'
import type { KeptTasks } from '../../apps/agent/src/tasks/task-file.ts'
import { openTaskRunner, type TaskRunner } from '../../apps/agent/src/tasks/task-runner.ts'
import {
  type AgentTask,
  commandsFor,
  hasEnded,
  readReport,
} from '../../apps/server/src/modules/agents/task-protocol.ts'

const shape = z.object({ number: z.number() })
const kinds = {
  quick: { kind: 'quick', lane: 'control', params: shape, result: shape },
  slow: { kind: 'slow', lane: 'restic', params: shape, result: shape },
} as const

interface Row extends AgentTask {
  lane: TaskLane
  /** How often an end was recorded. */
  ends: number
  wasOffered: boolean
}

/** Both sides and the line between them. */
async function createHarness() {
  const rows: Row[] = []
  let kept: KeptTasks = { tasks: [], seen: [], ends: [] }
  let runner: TaskRunner
  let boot = 0
  let reported: TaskReport[] | undefined
  let toServer: TaskReport[][] = []
  let toAgent: AgentCommand[] = []
  const started: string[] = []
  const begunTooLate: string[] = []
  const held = new Map<string, () => void>()
  let resticRunning = 0
  let mostRestic = 0

  async function settle(): Promise<void> {
    for (let turn = 0; turn < 4; turn += 1) await setImmediate()
  }

  async function bootAgent(): Promise<void> {
    boot += 1
    const mine = boot
    const isAlive = () => mine === boot
    held.clear()
    resticRunning = 0
    function begin(taskId: string): void {
      if (!isAlive()) return
      const row = rows.find(({ id }) => id === taskId)
      if (row && hasEnded(row.state)) begunTooLate.push(taskId)
      started.push(taskId)
    }
    runner = await openTaskRunner({
      kinds: [
        defineAgentTask(kinds.quick, async ({ taskId, params }) => {
          begin(taskId)
          return params
        }),
        defineAgentTask(kinds.slow, async ({ taskId, params, signal }) => {
          begin(taskId)
          resticRunning += 1
          mostRestic = Math.max(mostRestic, resticRunning)
          const { promise, resolve } = Promise.withResolvers<void>()
          held.set(taskId, resolve)
          try {
            await untilAborted(promise, signal)
          } finally {
            if (isAlive()) resticRunning -= 1
            held.delete(taskId)
          }
          return params
        }),
      ],
      // Work that a killed agent still does in this process reaches neither disk nor line.
      file: {
        read: async () => structuredClone(kept),
        async write(tasks) {
          if (isAlive()) kept = structuredClone(tasks)
        },
      },
      log: createLog({ write: () => undefined }),
      hide: (text) => text,
      onChange: () => void (isAlive() && isConnected && toServer.push(structuredClone(runner.reports()))),
      onProgress: () => undefined,
    })
    runner.resume()
  }

  let isConnected = false
  function cut(): void {
    isConnected = false
    toServer = []
    toAgent = []
    reported = undefined
  }

  function connect(): void {
    if (isConnected) return
    isConnected = true
    toServer.push(structuredClone(runner.reports()))
  }

  /** As `task-exchange.ts` does it with the database. */
  function speak(): void {
    if (!isConnected || !reported) return
    const open = (['control', 'restic'] as const).flatMap((lane) =>
      rows.filter((row) => row.lane === lane && !hasEnded(row.state)).slice(0, tasksPerLane),
    )
    const named = new Set(reported.map(({ taskId }) => taskId))
    const others = rows.filter((row) => named.has(row.id) && !open.includes(row))
    for (const row of open) {
      row.wasOffered = true
      if (row.state === 'waiting') row.state = 'offered'
    }
    toAgent.push(...structuredClone(commandsFor([...open, ...others], reported)))
  }

  function receive(reports: TaskReport[]): void {
    for (const report of reports) {
      const row = rows.find(({ id }) => id === report.taskId)
      const change = row && readReport(row, report, kinds)
      if (!row || !change) continue
      Object.assign(row, change)
      if (hasEnded(change.state)) row.ends += 1
    }
    reported = reports
    speak()
  }

  await bootAgent()
  return {
    rows,
    started,
    begunTooLate,
    get mostRestic() {
      return mostRestic
    },
    reports: () => runner.reports(),
    settle,
    connect,
    cut,
    beat: speak,
    ask(kind: 'quick' | 'slow') {
      const number = rows.length
      const task = { kind, instanceId: 'in', params: { number }, progress: null, result: null, reason: null }
      const fresh = { state: 'waiting', isCancelAsked: false, ends: 0, wasOffered: false } as const
      rows.push({ id: `at_${number}`, ...task, ...fresh, lane: kinds[kind].lane })
      speak()
    },
    cancel(at: number) {
      const row = rows[at % Math.max(1, rows.length)]
      if (!row || hasEnded(row.state)) return
      row.isCancelAsked = true
      if (row.state === 'waiting') Object.assign(row, { state: 'canceled', ends: row.ends + 1 })
      speak()
    },
    killAgent: () => {
      cut()
      return bootAgent()
    },
    finish(at: number) {
      const running = [...held.values()]
      running[at % Math.max(1, running.length)]?.()
    },
    deliverToServer(at: number, again: boolean) {
      if (toServer.length === 0) return
      const place = at % toServer.length
      const [message = []] = again ? toServer.slice(place, place + 1) : toServer.splice(place, 1)
      receive(message)
    },
    deliverToAgent(at: number, again: boolean) {
      if (toAgent.length === 0) return
      const place = at % toAgent.length
      const [message] = again ? toAgent.slice(place, place + 1) : toAgent.splice(place, 1)
      if (message?.type === 'task' || message?.type === 'cancel' || message?.type === 'taskSeen') runner.obey(message)
    },
    /** A line that works, until nothing moves any more. */
    async runUntilStill(finishes: boolean) {
      for (let round = 0; round < 60; round += 1) {
        connect()
        while (toServer.length > 0 || toAgent.length > 0) {
          for (const message of toServer.splice(0)) receive(message)
          for (const message of toAgent.splice(0)) if (isTaskCommand(message)) runner.obey(message)
          await settle()
        }
        if (finishes) for (const release of held.values()) release()
        await settle()
        speak()
      }
    },
  }
}

type TaskCommand = Extract<AgentCommand, { type: 'task' | 'cancel' | 'taskSeen' }>
const isTaskCommand = (command: AgentCommand): command is TaskCommand =>
  command.type === 'task' || command.type === 'cancel' || command.type === 'taskSeen'

const at = fc.oneof({ weight: 2, arbitrary: fc.constant(0) }, { weight: 1, arbitrary: fc.nat(8) })
const act = fc.oneof(
  { weight: 4, arbitrary: fc.record({ act: fc.constant('ask' as const), kind: fc.constantFrom('quick', 'slow') }) },
  {
    weight: 16,
    arbitrary: fc.record({ act: fc.constantFrom('toServer', 'toAgent'), at, again: fc.nat(9).map((n) => n < 2) }),
  },
  { weight: 2, arbitrary: fc.record({ act: fc.constantFrom('finish', 'cancel'), at }) },
  { weight: 3, arbitrary: fc.record({ act: fc.constantFrom('connect', 'beat') }) },
  { weight: 1, arbitrary: fc.record({ act: fc.constantFrom('cut', 'killAgent') }) },
)

const deliver = { act: 'toServer', at: 0, again: false } as const
const obey = (place: number) => ({ act: 'toAgent', at: place, again: false }) as const
/** An offer that arrives after its task was run, reported and forgotten. */
const lateOffer = [
  ...[deliver, { act: 'ask', kind: 'quick' } as const, { act: 'beat' } as const, obey(0)],
  ...[deliver, deliver, deliver, deliver, obey(1), obey(0)],
]

it('each task comes to one recorded end, and control never waits for restic', async () => {
  await fc.assert(
    fc.asyncProperty(fc.array(act, { minLength: 10, maxLength: 80, size: 'max' }), async (acts) => {
      const harness = await createHarness()
      harness.connect()
      for (const next of acts) {
        if (next.act === 'ask') harness.ask(next.kind as 'quick' | 'slow')
        else if (next.act === 'toServer') harness.deliverToServer(next.at, next.again)
        else if (next.act === 'toAgent') harness.deliverToAgent(next.at, next.again)
        else if (next.act === 'finish') harness.finish(next.at)
        else if (next.act === 'cancel') harness.cancel(next.at)
        else if (next.act === 'connect') harness.connect()
        else if (next.act === 'beat') harness.beat()
        else if (next.act === 'cut') harness.cut()
        else await harness.killAgent()
        await harness.settle()
      }

      await harness.runUntilStill(false)
      const unended = harness.rows.filter(({ state }) => !hasEnded(state))
      expect(unended.filter(({ lane }) => lane === 'control')).toEqual([])

      await harness.runUntilStill(true)
      for (const row of harness.rows) {
        expect(row).toMatchObject({ ends: 1 })
        expect(row.state === 'done' || (row.isCancelAsked && row.state === 'canceled')).toBe(true)
        expect(row.result).toEqual(row.state === 'done' ? row.params : null)
        if (row.state === 'done') expect(harness.started).toContain(row.id)
        if (!row.wasOffered) expect(harness.started).not.toContain(row.id)
      }
      // Nothing is left that would take a place for ever.
      expect(harness.reports()).toEqual([])
      expect(harness.begunTooLate).toEqual([])
      expect(harness.mostRestic).toBeLessThanOrEqual(1)
    }),
    { numRuns: 500, examples: [[lateOffer]] },
  )
})
