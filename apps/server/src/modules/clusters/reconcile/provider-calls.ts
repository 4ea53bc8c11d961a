/** The reconciler's calls to a provider. Facts that must survive a crash are written before the call. */
import { renewClaim } from '../../../platform/careful/index.ts'
import { getDeployment } from '../../../platform/facts/index.ts'
import { maySendMail } from '../../accounts/index.ts'
import { imageOf } from '../../catalog/index.ts'
import { type ComputeProvider, ProviderError } from '../../compute/index.ts'
import type { ClusterDeps } from '../cluster-deps.ts'
import type { Facts, Step } from '../decide/facts.ts'
import { requestInstall } from '../instances/install-request.ts'
import { saveBoot } from '../instances/instance-store.ts'
import type { ClusterRow, InstanceRow } from '../tables.ts'

/** The instance a call is about, as it was seen. */
export interface CallSubject {
  cluster: ClusterRow
  instance: InstanceRow
  facts: Facts
}

/**
 * Makes one call. Throws what the provider throws, and a final `ProviderError` when the catalogue lacks the version.
 */
export async function callProvider(
  deps: ClusterDeps,
  provider: ComputeProvider,
  subject: CallSubject,
  { call, recovers }: Extract<Step, { kind: 'call' }>,
): Promise<void> {
  const { cluster, instance, facts } = subject
  if (call === 'create' || call === 'start') {
    await saveBoot(deps.db, instance, { previousBootId: facts.agent?.bootId ?? null, recovers })
  }
  if (call === 'start' || call === 'restart' || call === 'move')
    await provider.allowMail?.(instance.id, await maySendMail(deps.db, cluster.owner))
  switch (call) {
    case 'create':
      return await createInstance(deps, provider, subject)
    case 'start':
      // It died before it ever reported: its token may have run out meanwhile.
      if (!facts.agent?.bootId) await prepareAgent(deps, subject)
      return await provider.start(instance.id)
    case 'stop':
      return await provider.stop(instance.id)
    case 'restart':
      return await provider.restart(instance.id, instance.restart_from ?? '')
    case 'move':
      if (!provider.move) throw new ProviderError(`${provider.name} has one machine`, { retryable: false })
      return await provider.move(instance.id, instance.move_to ?? '')
    case 'destroy':
      return await provider.destroy(instance.id)
  }
}

async function createInstance(deps: ClusterDeps, provider: ComputeProvider, subject: CallSubject): Promise<void> {
  const { cluster, instance } = subject
  const version = deps.compute.catalog.versions.find((candidate) => candidate.version === cluster.version)
  if (!version) {
    throw new ProviderError(`The catalogue no longer has version ${cluster.version}`, { retryable: false })
  }
  const image = imageOf(version, provider.name)
  if (image === undefined) {
    throw new ProviderError(`Version ${cluster.version} has no image for this cloud`, { retryable: false })
  }
  const deployment = await getDeployment(deps.db)
  const place = deps.compute.places().find((candidate) => candidate.provider === provider)
  // Before: a copy of this database that was made earlier must not take the instance for a leftover.
  if (place && provider.claims)
    await renewClaim(deps.db, {
      place: place.place,
      claims: provider.claims,
      deployment,
      now: deps.clock.now(),
    })
  await provider.ensureInstance({
    instanceId: instance.id,
    clusterId: cluster.id,
    deployment,
    region: cluster.region_id ?? '',
    cpuCoreCount: instance.cpu_core_count,
    memoryMiB: instance.memory_mib,
    diskMiB: instance.disk_mib,
    member: instance.member,
    image,
    maySendMail: await maySendMail(deps.db, cluster.owner),
    enrollToken: await prepareAgent(deps, subject),
    controlUrl: deps.config.controlUrl,
  })
}

/**
 * The instance's enrollment token, with the install requested, so that the agent receives it when it first connects.
 */
async function prepareAgent(deps: ClusterDeps, { cluster, instance, facts }: CallSubject): Promise<string> {
  const { provider, agent } = facts
  return await deps.db.transaction().execute(async (trx) => {
    // The files of the agent that reported are gone, its own token with them: the next one is another agent.
    if (provider.state === 'absent' && agent?.bootId) await deps.agents.forgetAgents(trx, [instance.id])
    const token = await deps.agents.issueEnrollToken(trx, { instanceId: instance.id, clusterId: cluster.id })
    await requestInstall(deps, trx, instance, { taskId: instance.install_task, version: cluster.version })
    return token
  })
}
