/**
 * The effect of reports, and the commands to send. States of a task:
 *   waiting   requested, never sent to the agent: a cancel ends it at once
 *   offered   sent to the agent at least once, so the agent may have begun it
 *   running   a report named it
 *   done, failed, canceled   its end, written once and never changed
 * Pure: the store writes, the exchange sends. Messages may be repeated, lost, or late: a report that is older than the
 * row changes nothing, and an agent ignores commands that it knows already.
 */
import { type AgentCommand, type TaskEnd, type TaskKind, type TaskReport, taskEnds } from '@atoll/contract/agents'

export type TaskState = 'waiting' | 'offered' | 'running' | TaskEnd
export type TaskKinds = Readonly<Record<string, TaskKind>>

/** A task that was asked of an agent. */
export interface AgentTask {
  id: string
  instanceId: string
  kind: string
  params: Record<string, unknown>
  state: TaskState
  /** Somebody asked that it ends. */
  isCancelAsked: boolean
  /** The newest that the agent reported; null before. */
  progress: Record<string, unknown> | null
  /** Of `done`. */
  result: Record<string, unknown> | null
  /** Of `failed`: the agent's words. */
  reason: string | null
}

export type TaskChange = Pick<AgentTask, 'state' | 'result' | 'reason'>

export function hasEnded(state: TaskState | TaskReport['state']): state is TaskEnd {
  return taskEnds.some((end) => end === state)
}

/** The change of `task` by `report`; undefined if there is none. */
export function readReport(task: AgentTask, report: TaskReport, kinds: TaskKinds): TaskChange | undefined {
  if (hasEnded(task.state)) return undefined
  if (!hasEnded(report.state))
    return task.state === 'running' ? undefined : { state: 'running', result: null, reason: null }
  if (report.state !== 'done')
    return { state: report.state, result: null, reason: report.state === 'failed' ? report.reason : null }
  const result = kinds[task.kind]?.result.safeParse(report.result ?? {})
  if (!result?.success) return { state: 'failed', result: null, reason: 'The result was not one of this kind of task.' }
  return { state: 'done', result: { ...Object(result.data) }, reason: null }
}

/**
 * The commands for an agent whose newest report names `reports`. `tasks`: those to offer, and all existing ones that
 * the report names. Tasks that no row names any more are ended at the agent as well, so that they do not stay there for
 * ever.
 */
export function commandsFor(tasks: readonly AgentTask[], reports: readonly TaskReport[]): AgentCommand[] {
  const byId = new Map(tasks.map((task) => [task.id, task]))
  const named = new Set(reports.map(({ taskId }) => taskId))
  const answers = reports.flatMap(({ taskId, state }): AgentCommand[] => {
    const task = byId.get(taskId)
    const isOver = !task || hasEnded(task.state)
    if (hasEnded(state)) return isOver ? [{ type: 'taskSeen', taskId }] : []
    return isOver || task.isCancelAsked ? [{ type: 'cancel', taskId }] : []
  })
  const offers = tasks.flatMap(({ id, kind, params, state, isCancelAsked }): AgentCommand[] => {
    if (named.has(id) || hasEnded(state)) return []
    const offer = { type: 'task', taskId: id, kind, params } as const
    // In this order: it is canceled before it begins.
    return isCancelAsked ? [offer, { type: 'cancel', taskId: id }] : [offer]
  })
  return [...answers, ...offers]
}
