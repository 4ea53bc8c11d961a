/** The calls the reconciler makes to a provider. What must be known after a crash is written before the call. */
import type { Trx } from '../../platform/db/index.ts'
import type { CatalogVersion, ComputeProvider } from '../compute/index.ts'
import { ProviderError } from '../compute/index.ts'
import type { ClusterDeps } from './cluster-deps.ts'
import type { Step, World } from './cluster-reconciler.ts'
import { getDeployment, type Snapshot, saveBoot } from './reconcile-store.ts'

/** Makes one call. Throws what the provider throws, and a final `ProviderError` when the catalogue lacks the version. */
export async function callProvider(
  deps: ClusterDeps,
  provider: ComputeProvider,
  snapshot: Snapshot,
  { call, recovers }: Extract<Step, { kind: 'call' }>,
  world: World,
): Promise<void> {
  const { master } = snapshot
  if (call === 'create' || call === 'start') {
    await saveBoot(deps.db, master, { bootBefore: world.agent?.bootId ?? null, recovers })
  }
  switch (call) {
    case 'create':
      return await createInstance(deps, provider, snapshot, world)
    case 'start':
      // It died before it ever reported: its token may have run out meanwhile.
      if (!world.agent?.bootId) await prepareAgent(deps, snapshot, world)
      return await provider.start(master.id)
    case 'stop':
      return await provider.stop(master.id)
    case 'restart':
      return await provider.restart(master.id, master.restart_from ?? '')
    case 'destroy':
      return await provider.destroy(master.id)
  }
}

async function createInstance(
  deps: ClusterDeps,
  provider: ComputeProvider,
  snapshot: Snapshot,
  world: World,
): Promise<void> {
  const { cluster, master } = snapshot
  const version = findVersion(deps, cluster.version)
  if (!version) {
    throw new ProviderError(`The catalogue no longer has version ${cluster.version}`, { retryable: false })
  }
  await provider.ensureInstance({
    instanceId: master.id,
    clusterId: cluster.id,
    deployment: await getDeployment(deps.db),
    region: cluster.region_id ?? '',
    cpuCoreCount: master.cpu_core_count,
    memoryMiB: master.memory_mib,
    diskMiB: master.disk_mib,
    image: version.image,
    enrollToken: await prepareAgent(deps, snapshot, world),
    controlUrl: deps.config.controlUrl,
  })
}

/** The instance's enrolment token, with the install wished for, so that the agent hears of it when it first connects. */
async function prepareAgent(
  deps: ClusterDeps,
  { cluster, master }: Snapshot,
  { provider, agent }: World,
): Promise<string> {
  return await deps.db.transaction().execute(async (trx) => {
    // The files of the agent that reported are gone, its own token with them: the next one is another agent.
    if (provider.state === 'absent' && agent?.bootId) await deps.agents.forgetAgents(trx, [master.id])
    const token = await deps.agents.issueEnrollToken(trx, { instanceId: master.id, clusterId: cluster.id })
    await wishInstall(deps, trx, { instanceId: master.id, taskId: master.install_task, version: cluster.version })
    return token
  })
}

/** Asks the agent for the install of `version` under `taskId`. False when the catalogue no longer has the version. */
export async function wishInstall(
  deps: Pick<ClusterDeps, 'agents' | 'compute'>,
  trx: Trx,
  { instanceId, taskId, version }: { instanceId: string; taskId: string; version: string | null },
): Promise<boolean> {
  const found = findVersion(deps, version)
  if (!found) return false
  await deps.agents.requestInstall(trx, { instanceId, taskId, version: found.version, steps: found.steps })
  return true
}

function findVersion({ compute }: Pick<ClusterDeps, 'compute'>, version: string | null): CatalogVersion | undefined {
  return compute.catalog.versions.find((candidate) => candidate.version === version)
}
