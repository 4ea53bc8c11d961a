/** Agents whose tasks a test ends by hand. */
import { taskEnds } from '@atoll/contract/agents'
import type { AgentRow, AgentTask } from '../../agents/index.ts'
import type { BackupDeps } from '../backups-deps.ts'

export type ScriptedAgent = Pick<AgentRow, 'instanceId' | 'connected' | 'lastSeenAt' | 'backups'>
export type ScriptedAgents = ReturnType<typeof scriptAgents>

/** One agent, which has restic and is connected until a test says otherwise. */
export function scriptAgents(instanceId: string, now: () => Date) {
  const tasks = new Map<string, AgentTask>()
  const asked = new Map<string, Date>()
  const secret = new Set<string>()
  const key = { kty: 'EC', crv: 'P-256', x: 'x'.repeat(43), y: 'y'.repeat(43) } as const
  const agent: ScriptedAgent = {
    instanceId,
    connected: true,
    lastSeenAt: now(),
    backups: { restic: '0.18.0', key },
  }
  const others: ScriptedAgent[] = []
  /** As its row has it: parameters that are secret are sealed, and gone after the end. */
  const rowOf = (task: AgentTask): AgentTask => {
    if (!secret.has(task.id)) return task
    return {
      ...task,
      params: taskEnds.some((end) => end === task.state) ? {} : { sealed: 'by the key of the deployment' },
    }
  }
  const face: BackupDeps['agents'] = {
    // All that backups read.
    listAgents: async (_, ids) => [agent, ...others].filter((one) => ids.includes(one.instanceId)) as AgentRow[],
    async requestTask(_, { kind, isSecret }, { taskId: id, instanceId: of, params }) {
      if (isSecret) secret.add(id)
      const task = { id, instanceId: of, kind, params: params as Record<string, unknown> } // a kind's params are one
      asked.set(id, now())
      tasks.set(id, { ...task, state: 'offered', isCancelAsked: false, progress: null, result: null, reason: null })
      return id
    },
    async cancelTask(_, id) {
      const task = tasks.get(id)
      if (task && (task.state === 'offered' || task.state === 'running')) task.isCancelAsked = true
      return task
    },
    listOpenTasks: async (_, of, kind) =>
      [...tasks.values()]
        .filter((task) => task.instanceId === of && task.kind === kind && task.result === null)
        .map(({ id }) => ({ id, askedAt: asked.get(id) ?? now() })),
    listTasks: async (_, ids) => [...tasks.values()].filter(({ id }) => ids.includes(id)).map(rowOf),
    readParams: async (_, id) => tasks.get(id)?.params,
  }
  return {
    face,
    agent,
    /** Those of other machines that have come. */
    others,
    tasks,
    /** The newest task of a kind. */
    newest(kind: string): AgentTask {
      const task = [...tasks.values()].reverse().find((each) => each.kind === kind)
      if (!task) throw new Error(`No task ${kind} was asked for`)
      return task
    },
    end(task: AgentTask, result: Record<string, unknown>) {
      Object.assign(task, { state: 'done', result })
    },
  }
}
