/** The subject of a command: the whole cluster, represented by its master, or one of its instances. */
import type { Reason } from '@atoll/contract/api'
import type { ClusterAction, InstanceAction } from '@atoll/contract/clusters'
import { endOperation, listRunningOperations } from '../../../platform/operations/index.ts'
import { refuse } from '../../../platform/refusal.ts'
import type { AuditEntry } from '../../audit/index.ts'
import type { ClusterDeps } from '../cluster-deps.ts'
import { clusterFactsOf, instanceFactsOf } from '../lifecycle/action-facts.ts'
import { clusterRefusal, instanceRefusal, refuseIf } from '../lifecycle/action-refusals.ts'
import { operationOf } from '../operations/operation-store.ts'
import type { InstanceRow } from '../tables.ts'
import { auditCluster, auditInstance, type ClusterCommand } from './cluster-command.ts'

/** The instance of that id, without one the master; refuses one that the cluster does not have. */
export function getSubject({ instances, master }: ClusterCommand, instanceId: string | undefined): InstanceRow {
  const subject = instanceId === undefined ? master : instances.find(({ id }) => id === instanceId)
  return subject ?? refuse('notFound', { object: 'instance' })
}

/** Refuses what the cluster, for its master, or that instance does not let the caller do now. */
export function refuseActionOn(
  deps: ClusterDeps,
  { cluster, caller, instances, master }: ClusterCommand,
  subject: InstanceRow,
  actions: { cluster: ClusterAction; instance: InstanceAction },
): void {
  refuseIf(
    subject === master
      ? clusterRefusal(master, clusterFactsOf(deps, cluster, caller, instances), actions.cluster)
      : instanceRefusal(subject, instanceFactsOf(cluster, subject), actions.instance),
  )
}

/** Ends what runs on `subject` before its goal. */
export async function endRunning(
  { trx, cluster, at }: ClusterCommand,
  subject: InstanceRow,
  reason: Reason,
): Promise<void> {
  const running = operationOf(await listRunningOperations(trx, cluster.id), subject)
  if (running) await endOperation(trx, running, { state: 'canceled', reason, at })
}

type VerbOf<Kind extends string> = AuditEntry['action'] extends infer Action
  ? Action extends `${Kind}.${infer Verb}`
    ? Verb
    : never
  : never

/** Writes down what was done to the cluster, for its master, or to that instance. */
export async function auditSubject(
  command: ClusterCommand,
  subject: InstanceRow,
  verb: VerbOf<'cluster'> & VerbOf<'instance'>,
  facts: Parameters<typeof auditInstance>[3],
): Promise<void> {
  if (subject === command.master) await auditCluster(command, `cluster.${verb}`, facts)
  else await auditInstance(command, `instance.${verb}`, subject, facts)
}
