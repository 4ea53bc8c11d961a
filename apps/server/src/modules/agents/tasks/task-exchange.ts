/** Tasks on one connection of an agent: reports go into rows, rows become commands. `task-protocol.ts` decides both. */
import { type AgentCommand, type AgentState, taskProgressMs } from '@atoll/contract/agents'
import type { Sealer } from '../../../platform/crypto.ts'
import type { Db, Trx } from '../../../platform/db/index.ts'
import type { AgentRef } from '../agent-store.ts'
import { type AgentTask, commandsFor, hasEnded, readReport, type TaskChange, type TaskKinds } from '../task-protocol.ts'
import { openParams } from './sealed-params.ts'
import { listOpenTasks, listTasksOf, markOffered, saveProgress, saveTaskChange } from './task-store.ts'

export type OnTaskChange = (trx: Trx, agent: AgentRef, task: AgentTask) => Promise<void>

interface ProgressReport {
  taskId: string
  progress: Record<string, unknown>
}

export interface TaskExchange {
  /** In the transaction that stores the agent's report, once its row is locked. */
  store(trx: Trx, agent: AgentRef, state: AgentState): Promise<void>
  /** Sends what `state`, which has been stored, and the rows call for. */
  answer(state: AgentState): Promise<void>
  /** Sends it again, for what changed or was lost; nothing before the first report. */
  offer(): Promise<void>
  /** The same, unless nothing was under way when it last sent. */
  offerAgain(): Promise<void>
  /** Whether progress of the task is to be stored: the last report names it, and the one before is not too recent. */
  takes(report: ProgressReport): boolean
  progress(report: ProgressReport): Promise<void>
}

export interface TaskExchangeOptions {
  db: Db
  sealer: Pick<Sealer, 'open'>
  kinds: TaskKinds
  instanceId: string
  connectionId: string
  send(command: AgentCommand): void
  onTaskChange: OnTaskChange
}

export function createTaskExchange(options: TaskExchangeOptions): TaskExchange {
  const { db, sealer, kinds, instanceId, connectionId, send, onTaskChange } = options
  let agent: AgentRef | undefined
  let reported: AgentState | undefined
  let isBusy = false
  /** When progress of a task was stored last, ms of a steady clock; of tasks that the last report names. */
  let progressAt = new Map<string, number>()

  async function store(trx: Trx, reporter: AgentRef, state: AgentState): Promise<void> {
    agent = reporter
    for (const [task, change] of await changesBy(trx, state.tasks)) {
      if (await saveTaskChange(trx, task.id, change)) await onTaskChange(trx, reporter, { ...task, ...change })
    }
  }

  async function changesBy(trx: Trx, reports: AgentState['tasks']): Promise<[AgentTask, TaskChange][]> {
    const tasks = await listTasksOf(
      trx,
      instanceId,
      reports.map(({ taskId }) => taskId),
    )
    return tasks.flatMap((task): [AgentTask, TaskChange][] => {
      const report = reports.find(({ taskId }) => taskId === task.id)
      const change = report && readReport(task, report, kinds)
      return change ? [[task, change]] : []
    })
  }

  async function offer(): Promise<void> {
    if (!reported) return
    const open = await listOpenTasks(db, instanceId)
    const reports = reported.tasks
    isBusy = open.length + reports.length > 0
    const openIds = new Set(open.map(({ id }) => id))
    const others = reports.map(({ taskId }) => taskId).filter((id) => !openIds.has(id))
    const tasks = [...open.map((task) => openParams(sealer, task)), ...(await listTasksOf(db, instanceId, others))]
    await markOffered(db, waiting(open))
    for (const command of commandsFor(tasks, reports)) send(command)
  }

  return {
    store,
    offer,
    async answer(state) {
      const isFirst = reported === undefined
      reported = state
      const named = new Set(state.tasks.map(({ taskId }) => taskId))
      progressAt = new Map([...progressAt].filter(([id]) => named.has(id)))
      if (isFirst || isBusy || named.size > 0) await offer()
    },
    async offerAgain() {
      if (isBusy) await offer()
    },
    takes({ taskId }) {
      const report = reported?.tasks.find((task) => task.taskId === taskId)
      const now = performance.now()
      // Agents wait for all of it, but their messages may be held up.
      const isTooSoon = now - (progressAt.get(taskId) ?? Number.NEGATIVE_INFINITY) < taskProgressMs / 2
      if (!report || hasEnded(report.state) || isTooSoon) return false
      progressAt.set(taskId, now)
      return true
    },
    async progress({ taskId, progress }) {
      const reporter = agent
      await db.transaction().execute(async (trx) => {
        const task = await saveProgress(trx, { instanceId, connectionId }, taskId, progress)
        if (task && reporter) await onTaskChange(trx, reporter, task)
      })
    },
  }
}

function waiting(tasks: readonly AgentTask[]): string[] {
  return tasks.filter(({ state }) => state === 'waiting').map(({ id }) => id)
}
