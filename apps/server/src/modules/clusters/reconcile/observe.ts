import type { Reason } from '@atoll/contract/api'
import { findDoubt } from '../../../platform/careful/index.ts'
import type { Log } from '../../../platform/log.ts'
import { allClear } from '../../billing/index.ts'
import { type ComputeProvider, ProviderError } from '../../compute/index.ts'
import type { ClusterDeps } from '../cluster-deps.ts'
import type { Facts, ProviderView } from '../decide/facts.ts'
import { desiredOf } from '../instances/instance-store.ts'
import type { Snapshot } from '../instances/reconcile-store.ts'
import { quote, readReason } from '../lifecycle/stored-reason.ts'
import { operationOf } from '../operations/operation-store.ts'
import type { InstanceRow } from '../tables.ts'

/** An instance and the world around it. */
export interface Observation {
  /** The instance's. */
  id: string
  instance: InstanceRow
  facts: Facts
  /** Where the provider has it; null where it does not run or has no address. */
  address: { host: string; port: number } | null
}

/** The provider of this cluster's instances; undefined when its cloud has left the catalogue. */
export function providerOf(
  { compute }: Pick<ClusterDeps, 'compute'>,
  { cluster }: Snapshot,
): ComputeProvider | undefined {
  return compute.provider(cluster.cloud_name ?? 'selfHost')
}

/** The facts of each instance as it is now. A provider that cannot be asked makes its part unknown, nothing else. */
export async function observe(deps: ClusterDeps, snapshot: Snapshot, log: Log): Promise<Observation[]> {
  const { db, clock, agents, billing } = deps
  const { cluster, instances, operations } = snapshot
  const provider = providerOf(deps, snapshot)
  const [views, known, drains, standings, restores] = await Promise.all([
    Promise.all(instances.map((instance) => inspect(provider, cluster.cloud_name, instance, log))),
    agents.listAgents(
      db,
      instances.map(({ id }) => id),
    ),
    agents.listTasks(
      db,
      instances.flatMap(({ drain_task }) => drain_task ?? []),
    ),
    cluster.cluster_type === 'Cloud' ? billing.standings(db, cluster.id) : allClear,
    deps.restores.list(
      db,
      instances.flatMap(({ has_run, restore_id }) => (has_run ? [] : (restore_id ?? []))),
    ),
  ])
  const now = clock.now()
  const isLate = [...operations.map(({ deadline_at }) => deadline_at), ...instances.map((one) => one.drain_until)].some(
    (until) => until !== null && until <= now,
  )
  const jumpedAt = isLate ? (await findDoubt(db, 'clock'))?.since : undefined
  const workers = instances
    .filter(({ role }) => role === 'worker')
    .map((worker) => ({ status: worker.status, desired: desiredOf(cluster, worker) }))
  return instances.map((instance, at) => {
    // One view per instance, in the same order.
    const view = views[at] as ProviderView & { address?: { host: string; port: number } | null }
    const operation = operationOf(operations, instance)
    const facts: Facts = {
      now,
      role: instance.role,
      selfHosted: cluster.cluster_type === 'SelfHost',
      status: instance.status,
      resume_stack: instance.resume_stack,
      given_up: instance.given_up,
      desired: desiredOf(cluster, instance),
      standing: standings.of(instance.id),
      changedAt: instance.changed_at,
      deadlineAt: operation ? begunAgain(operation.deadline_at, operation.started_at, jumpedAt) : null,
      failedCalls: instance.failed_calls,
      lastFailure: readReason(instance.last_failure),
      instance: {
        installTask: instance.install_task,
        restartFrom: instance.restart_from,
        moveTo: instance.move_to,
        previousBootId: instance.previous_boot_id,
        recoveries: instance.recoveries,
        missing: instance.missing,
        drainTask: instance.drain_task,
        isDrained: drains.some(({ id, state }) => id === instance.drain_task && state === 'done'),
        drainUntil: instance.drain_until && begunAgain(instance.drain_until, instance.changed_at, jumpedAt),
      },
      restore: restores.find(({ id }) => id === instance.restore_id),
      provider: view,
      agent: known.find(({ instanceId }) => instanceId === instance.id),
      workers: instance.role === 'master' ? workers : [],
    }
    const address = (view.state === 'running' && view.address) || null
    return { id: instance.id, instance: instance, facts, address }
  })
}

/** The end of a time that began at `from`: a jump of the clock cuts it short by nothing, as it begins again there. */
function begunAgain(until: Date, from: Date, jumpedAt: Date | undefined): Date {
  if (!jumpedAt || from >= jumpedAt) return until
  return new Date(Math.max(until.getTime(), jumpedAt.getTime() + until.getTime() - from.getTime()))
}

async function inspect(
  provider: ComputeProvider | undefined,
  cloud: string | null,
  { id }: InstanceRow,
  log: Log,
): Promise<ProviderView> {
  if (!provider) return { state: 'unknown', reason: { key: 'cloudGone', params: { cloud: cloud ?? '' } } }
  try {
    return await provider.inspect(id)
  } catch (error) {
    log.warn({ err: error, provider: provider.name, instanceId: id }, 'a provider could not be asked')
    return { state: 'unknown', reason: unreachable(error) }
  }
}

function unreachable(error: unknown): Reason {
  const said = wordsOf(error)
  return said === undefined ? { key: 'unexpected' } : { key: 'providerUnreachable', params: { said } }
}

/** Why a call to a provider failed, for a person. */
export function failureReason(error: unknown, { isFinal }: { isFinal: boolean }): Reason {
  if (error instanceof ProviderError && error.kind === 'soldOut') return { key: 'soldOut' }
  const said = wordsOf(error)
  if (said === undefined) return { key: 'unexpected' }
  return { key: isFinal ? 'providerRefused' : 'providerSaid', params: { said } }
}

/** A driver's own words; undefined for an error that nobody worded for people. */
function wordsOf(error: unknown): string | undefined {
  return error instanceof ProviderError ? quote(error.message) : undefined
}
