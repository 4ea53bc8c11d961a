/**
 * Tasks: what the control plane asks of an agent once. The server offers a task until the agent's report names it; the
 * report names it, with its end, until the server sends `taskSeen`. Both sides keep what they know on disk, so each
 * task comes to one recorded end whatever is lost, repeated or killed. A task may run more than once, and its `run`
 * allows that.
 */
import { z } from 'zod'
import { AgentRelease } from './agent-updates.ts'
import { backupTaskKinds } from './backup-tasks.ts'

/** Tasks of `restic` run one at a time; those of `control` start at once and never wait for them. */
export const taskLanes = ['control', 'restic'] as const
export type TaskLane = (typeof taskLanes)[number]
/** Tasks of one lane that an agent holds at a time, ended ones that the server has not seen among them. */
export const tasksPerLane = 4
/** Sizes as JSON, bytes of UTF-8. */
export const taskParamsLimit = 64 * 1024
export const taskResultLimit = 16 * 1024
export const taskProgressLimit = 2 * 1024
/** Progress of one task is sent at most this often, ms. */
export const taskProgressMs = 1000

export const TaskId = z.string().min(1).max(64)

/** Any JSON object of at most `limit` bytes; its kind says what it must hold. */
function smallObject(limit: number) {
  return z
    .record(z.string(), z.unknown())
    .refine((value) => new TextEncoder().encode(JSON.stringify(value)).length <= limit, `at most ${limit} bytes`)
}
export const TaskParams = smallObject(taskParamsLimit)
export const TaskResult = smallObject(taskResultLimit)
export const TaskProgress = smallObject(taskProgressLimit)

export const taskEnds = ['done', 'failed', 'canceled'] as const
export type TaskEnd = (typeof taskEnds)[number]

/** An agent's report on a task that it holds. `result` comes with `done` alone, `reason` with `failed` alone. */
export const TaskReport = z.object({
  taskId: TaskId,
  state: z.enum(['queued', 'running', ...taskEnds]),
  result: TaskResult.nullable(),
  reason: z.string().max(500).nullable(),
})
export type TaskReport = z.infer<typeof TaskReport>

/** One kind of task: both sides parse `params` and `result` by it. */
export interface TaskKind<Params extends z.ZodType = z.ZodType, Result extends z.ZodType = z.ZodType> {
  kind: string
  lane: TaskLane
  params: Params
  result: Result
  /** Its parameters hold a secret: the control plane stores them sealed, and neither side after the end. */
  isSecret?: boolean
}

function defineTaskKind<Params extends z.ZodType, Result extends z.ZodType>(
  kind: TaskKind<Params, Result>,
): TaskKind<Params, Result> {
  return kind
}

const nothing = z.object({})
const Version = z.object({ version: z.string().max(40) })

export const taskKinds = {
  /** It is about to be removed: it takes no more work and finishes what it has begun, within `withinMs`. */
  drain: defineTaskKind({
    kind: 'drain',
    lane: 'control',
    params: z.object({ withinMs: z.int().positive() }),
    result: nothing,
  }),
  /** It makes a new one-time password, which its state then carries. */
  rotate: defineTaskKind({ kind: 'rotate', lane: 'control', params: nothing, result: nothing }),
  /** Restarts its process, unless it has restarted since the boot `bootId`. */
  restart: defineTaskKind({
    kind: 'restart',
    lane: 'control',
    params: z.object({ bootId: z.string().max(64) }),
    result: nothing,
  }),
  /**
   * The owner gave the cluster up. `wipe`: the agent's folder goes, the owner's files with it; else only its token. Its
   * end is the message `left`: nothing is kept that could report it.
   */
  leave: defineTaskKind({ kind: 'leave', lane: 'control', params: z.object({ wipe: z.boolean() }), result: nothing }),
  /**
   * It fetches the release, verifies it and starts it; done is what the new version says once the control plane answers
   * it. One that does not report within `withinMs` is left for the one before, which says that it failed.
   */
  update: defineTaskKind({
    kind: 'update',
    lane: 'control',
    params: AgentRelease.extend({ withinMs: z.int().positive() }),
    result: Version,
  }),
  /** From `version` back to the one before it, which is still there. */
  updateBack: defineTaskKind({ kind: 'updateBack', lane: 'control', params: Version, result: Version }),
  ...backupTaskKinds,
} as const
