/**
 * Events between modules, and the modules that handle each, in order. Each handler runs in the transaction of the
 * event; the locks that it takes are noted beside it.
 */
import type { AgentRef, AgentRow, AgentTask } from '../modules/agents/index.ts'
import { recordAudit } from '../modules/audit/index.ts'
import type { BackupEvents } from '../modules/backups/index.ts'
import type { Intake } from '../modules/clusters/index.ts'
import type { Domains } from '../modules/domains/index.ts'
import type { NameBound } from '../modules/identity/index.ts'
import type { Rollouts } from '../modules/rollouts/index.ts'
import type { Staff } from '../modules/staff/index.ts'
import type { Caller } from '../platform/caller.ts'
import { createHook, type Hook } from '../platform/events/index.ts'

export interface Hooks {
  /** A DID bound a name by its signature. */
  nameBound: Hook<NameBound>
  /** An agent reported, connected or disconnected. */
  agentChange: Hook<{ agent: AgentRef; row: AgentRow }>
  /** A task of an agent changed. */
  taskChange: Hook<{ agent: AgentRef; task: AgentTask }>
  /** An Admin opened the cluster of another, while the deployment has staff. */
  clusterOpened: Hook<{ caller: Caller; owner: string }>
}

export function createHooks(): Hooks {
  return {
    nameBound: createHook('nameBound'),
    agentChange: createHook('agentChange'),
    taskChange: createHook('taskChange'),
    clusterOpened: createHook('clusterOpened'),
  }
}

interface Handling {
  domains: Pick<Domains, 'onNameTaken'>
  intake: Pick<Intake, 'onAgentChange' | 'onTaskChange'>
  backupEvents: BackupEvents
  rollouts: Pick<Rollouts, 'onTaskChange'>
  staff: Pick<Staff, 'onOpened'>
}

/** Names the handlers; nothing is published before. */
export function handleHooks(hooks: Hooks, { domains, intake, backupEvents, rollouts, staff }: Handling): void {
  hooks.nameBound.handledBy(
    // No lock; the record takes its place when the transaction commits.
    (trx, { did, name, ip }) =>
      recordAudit(trx, {
        // Bound by signature, from no session, perhaps before there is an account: the record names the DID.
        actor: { userid: did, sessionId: null },
        ip,
        action: 'account.bindName',
        object: { kind: 'account', id: did, owner: did },
        before: { name: null },
        after: { name },
      }),
    // Under the names' lock, which the publisher holds: the account, then its domains.
    (trx, { did, name }) => domains.onNameTaken(trx, { did, name }),
  )
  hooks.agentChange.handledBy(
    // The agent's cluster.
    (trx, { agent, row }) => intake.onAgentChange(trx, agent, row),
    // No lock: enqueues.
    (trx, { agent, row }) => backupEvents.onAgentChange(trx, agent, row),
  )
  hooks.taskChange.handledBy(
    // The agent's cluster.
    (trx, { agent, task }) => intake.onTaskChange(trx, agent, task),
    // The task's rights to a repository.
    (trx, { task }) => backupEvents.onTaskChange(trx, task),
    // The rollout that asked for it.
    (trx, { task }) => rollouts.onTaskChange(trx, task),
  )
  hooks.clusterOpened.handledBy(
    // The row of the look.
    (trx, opened) => staff.onOpened(trx, opened),
  )
}
