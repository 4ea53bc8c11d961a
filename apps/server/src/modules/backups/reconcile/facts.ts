/** The state that a run of the reconciler works on: the backup, locked, its work under way, and its machine. */
import type { Trx } from '../../../platform/db/index.ts'
import type { AgentRow, AgentTask } from '../../agents/index.ts'
import type { BackupDeps } from '../backups-deps.ts'
import { findOpenWork, type OpenWork } from '../records/backup-store.ts'
import type { BackupRow } from '../tables.ts'

/** A machine that is silent for this long is lost: what it worked at waits again. ms */
const lostAfterMs = 10 * 60_000

/** The master of the cluster; it is the same during one run of the reconciler. */
export interface BackupMachine {
  /** Undefined: the cluster is gone. */
  instanceId: string | undefined
  agent: AgentRow | undefined
  isLost: boolean
}

export interface BackupFacts extends OpenWork, BackupMachine {
  trx: Trx
  at: Date
  backup: BackupRow
  tasks: ReadonlyMap<string, AgentTask>
}

/** The master of `clusterId`, the backup's own cluster by default. */
export async function findMachine(
  deps: BackupDeps,
  trx: Trx,
  backup: BackupRow,
  clusterId = backup.cluster_id,
): Promise<BackupMachine> {
  const masters = await deps.listOwnMasters(trx, backup.owner)
  const instanceId = masters.find((master) => master.clusterId === clusterId)?.instanceId
  const [agent] = instanceId === undefined ? [] : await deps.agents.listAgents(trx, [instanceId])
  return { instanceId, agent, isLost: isSilent(agent, deps.clock.now(), backup.created_at) }
}

/** Whether nobody reports of `task` any more: its machine is silent, or another one has taken its place. */
export function isLostTo({ instanceId, isLost }: BackupMachine, task: AgentTask | undefined): boolean {
  return isLost || (task !== undefined && instanceId !== undefined && task.instanceId !== instanceId)
}

/** `since`: when it was asked for something first. */
export function isSilent(agent: AgentRow | undefined, at: Date, since: Date): boolean {
  if (!agent || agent.connected) return !agent
  return at.getTime() - (agent.lastSeenAt ?? since).getTime() > lostAfterMs
}

export async function findFacts(
  deps: BackupDeps,
  trx: Trx,
  backup: BackupRow,
  machine: BackupMachine,
): Promise<BackupFacts> {
  const work = await findOpenWork(trx, backup.id)
  const ofTasks = [work.run, work.restore, work.chore].flatMap((each) => each?.task_id ?? [])
  const ids = [...ofTasks, ...(work.chore?.reseal_task_id ? [work.chore.reseal_task_id] : [])]
  const tasks = new Map((await deps.agents.listTasks(trx, ids)).map((task) => [task.id, task]))
  return { ...work, ...machine, trx, at: deps.clock.now(), backup, tasks }
}

/** Ends a task, where it has not ended, and its right to the repository. */
export async function endTask({ agents, vault }: BackupDeps, trx: Trx, taskId: string | null): Promise<void> {
  if (taskId === null) return
  await agents.cancelTask(trx, taskId)
  await vault.endGrants(trx, { taskId })
}

export function taskOf({ tasks }: BackupFacts, row: { task_id: string | null } | undefined): AgentTask | undefined {
  return row?.task_id ? tasks.get(row.task_id) : undefined
}
