/**
 * The tasks of this agent. States of one: open (queued, running) → done | failed | canceled, until the control plane
 * has seen its end. Only this file writes them. A report follows its write: after a kill open tasks run again, and ends
 * are reported again. If the disk refuses (it may be full), memory stands for it until the next write. Lanes: `control`
 * starts at once, `restic` one at a time.
 */
import {
  type AgentCommand,
  type TaskEnd,
  type TaskLane,
  type TaskReport,
  TaskResult,
  tasksPerLane,
} from '@atoll/contract/agents'
import type { AgentTask } from '../kernel/agent-task.ts'
import { describeError, type Log, oneLine } from '../kernel/log.ts'
import { untilAborted } from '../kernel/until-aborted.ts'
import { createProgress } from './progress.ts'
import type { HeldTask, TaskFile } from './task-file.ts'

type TaskCommand = Extract<AgentCommand, { type: 'task' | 'cancel' | 'taskSeen' }>

/** How many run at a time. */
const laneWidths: Readonly<Record<TaskLane, number>> = { control: tasksPerLane, restic: 1 }
/** Those that a late offer could name are among the last few. */
const mostSeen = 64
/** As the wire allows. */
const mostReason = 500

/** Of a task whose end was seen before ends were kept. */
const forgottenEnd = {
  state: 'failed' as const,
  result: null,
  reason: 'It ended before; its end was reported and is not known any more.',
}

export interface TaskRunnerOptions {
  kinds: readonly AgentTask[]
  file: TaskFile
  log: Log
  /** Without what nobody beyond this machine needs to read. */
  hide(text: string): string
  /** The reports are others than before. */
  onChange(): void
  onProgress(taskId: string, progress: Record<string, unknown>): void
}

export interface TaskRunner {
  /** As of the last write. */
  reports(): TaskReport[]
  /** Each may come again, late, or for a task that is not known: that changes nothing. */
  obey(command: TaskCommand): void
  /** Goes on with what a killed agent left open. */
  resume(): void
  /**
   * Begins no further task of `lane` and resolves once none of it runs, with what lets it go on; aborting `signal`
   * first does so, too.
   */
  holdLane(lane: TaskLane, signal: AbortSignal): Promise<() => void>
  /** Ends running tasks and stops writing: the next start goes on. */
  stop(): Promise<void>
}

export async function openTaskRunner({
  kinds,
  file,
  log,
  hide,
  onChange,
  onProgress,
}: TaskRunnerOptions): Promise<TaskRunner> {
  let { tasks, seen, ends } = await file.read()
  let written: readonly HeldTask[] = tasks
  const running = new Map<string, { canceling: AbortController; end: Promise<void> }>()
  const held = new Set<TaskLane>()
  const stopping = new AbortController()
  let lastWrite: Promise<void> = Promise.resolve()

  /** Tasks of a kind that this agent does not know end at once, in whatever lane. */
  const laneOf = ({ kind }: { kind: string }): TaskLane => kinds.find((known) => known.kind === kind)?.lane ?? 'control'
  const isOpen = ({ state }: HeldTask) => state === 'open'

  function write(): Promise<void> {
    lastWrite = lastWrite.then(async () => {
      if (stopping.signal.aborted) return
      const kept = tasks
      await file
        .write({ tasks: kept, seen, ends })
        .catch((error: unknown) => log.error('tasks', `not written: ${describeError(error)}`))
      written = kept
      onChange()
    })
    return lastWrite
  }

  function accept({ taskId, kind, params }: Extract<TaskCommand, { type: 'task' }>): void {
    if (tasks.some((task) => task.taskId === taskId)) return
    const lane = laneOf({ kind })
    // Offered again when there is room.
    if (tasks.filter((task) => laneOf(task) === lane).length >= tasksPerLane) return
    if (seen.includes(taskId)) {
      // A control plane that had seen its end, and was restored to before that, would wait for it forever.
      const end = ends.find((one) => one.taskId === taskId) ?? { taskId, ...forgottenEnd }
      tasks = [...tasks, { ...end, kind, params: {} }]
      return void write()
    }
    log.info('tasks', `${kind} ${taskId}`)
    tasks = [...tasks, { taskId, kind, params, state: 'open', result: null, reason: null }]
    void write().then(() => startNext(lane))
  }

  function cancel(taskId: string): void {
    running.get(taskId)?.canceling.abort(new Error('canceled'))
    if (!running.has(taskId) && tasks.some((task) => task.taskId === taskId && isOpen(task)))
      void end(taskId, { state: 'canceled' })
  }

  function forget(taskId: string): void {
    const task = tasks.find((held) => held.taskId === taskId)
    if (!task || task.state === 'open') return
    const { state, result, reason } = task
    tasks = tasks.filter((held) => held !== task)
    seen = [...seen.filter((id) => id !== taskId), taskId].slice(-mostSeen)
    ends = [...ends.filter((end) => end.taskId !== taskId), { taskId, state, result, reason }].slice(-mostSeen)
    void write()
  }

  function startNext(lane: TaskLane): void {
    if (held.has(lane)) return
    const ofLane = tasks.filter((task) => isOpen(task) && laneOf(task) === lane)
    let room = laneWidths[lane] - ofLane.filter(({ taskId }) => running.has(taskId)).length
    for (const task of ofLane) {
      if (running.has(task.taskId) || room <= 0 || stopping.signal.aborted) continue
      room -= 1
      const canceling = new AbortController()
      running.set(task.taskId, { canceling, end: run(task, canceling.signal).then(() => startNext(lane)) })
      onChange()
    }
  }

  /** Never rejects. Cut short by the agent's end, the task stays open. */
  async function run(task: HeldTask, canceled: AbortSignal): Promise<void> {
    const { taskId, kind, params } = task
    const progress = createProgress((value) => onProgress(taskId, value))
    try {
      const known = kinds.find((one) => one.kind === kind)
      if (!known) throw new Error(`This agent does not know the task “${kind}”; it is older than the control plane.`)
      const signal = AbortSignal.any([stopping.signal, canceled])
      const result = TaskResult.parse(await known.run({ taskId, params, signal, progress: progress.say }))
      progress.stop()
      await end(taskId, { state: 'done', result })
    } catch (error) {
      progress.stop()
      if (canceled.aborted) return await end(taskId, { state: 'canceled' })
      if (stopping.signal.aborted) return
      const words = oneLine(describeError(error))
      log.error('tasks', `${kind} ${taskId} failed: ${words}`)
      await end(taskId, { state: 'failed', reason: hide(words).slice(0, mostReason) })
    }
  }

  async function end(
    taskId: string,
    { state, result = null, reason = null }: { state: TaskEnd; result?: HeldTask['result']; reason?: string | null },
  ): Promise<void> {
    // Nobody runs it again: what its parameters let one do is not kept.
    tasks = tasks.map((task) => (task.taskId === taskId ? { ...task, params: {}, state, result, reason } : task))
    await write()
    running.delete(taskId)
  }

  return {
    reports: () =>
      written.map(({ taskId, state, result, reason }) => {
        const now = state !== 'open' ? state : running.has(taskId) ? 'running' : 'queued'
        return { taskId, state: now, result, reason }
      }),
    obey(command) {
      if (command.type === 'task') accept(command)
      else if (command.type === 'cancel') cancel(command.taskId)
      else forget(command.taskId)
    },
    resume() {
      for (const lane of new Set(tasks.map(laneOf))) startNext(lane)
    },
    async holdLane(lane, signal) {
      const release = () => {
        held.delete(lane)
        startNext(lane)
      }
      held.add(lane)
      const underWay = tasks.filter((task) => laneOf(task) === lane).map(({ taskId }) => running.get(taskId)?.end)
      try {
        await untilAborted(Promise.all(underWay), signal)
        return release
      } catch (error) {
        release()
        throw error
      }
    },
    async stop() {
      stopping.abort(new Error('the agent stops'))
      await Promise.all([...running.values()].map(({ end: ended }) => ended))
      await lastWrite
    },
  }
}
