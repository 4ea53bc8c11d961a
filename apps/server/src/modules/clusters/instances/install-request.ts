/** The install request for an instance's agent, as the catalogue describes the version. */
import { restoreStep } from '@atoll/contract/agents'
import type { InstanceRole } from '@atoll/contract/clusters'
import type { Trx } from '../../../platform/db/index.ts'
import type { InstallRequest } from '../../agents/index.ts'
import type { Catalog, CatalogVersion } from '../../catalog/index.ts'
import type { ClusterDeps } from '../cluster-deps.ts'
import type { InstanceRow } from '../tables.ts'

interface DesiredInstall {
  taskId: string
  version: string | null
}

/** The install of `version` under `taskId`; undefined when the catalogue no longer has the version. */
export function installOf(
  catalog: Pick<Catalog, 'versions'>,
  { id, role, restore_id }: Pick<InstanceRow, 'id' | 'role' | 'restore_id'>,
  { taskId, version }: DesiredInstall,
): InstallRequest | undefined {
  const found = catalog.versions.find((candidate) => candidate.version === version)
  return (
    found && {
      instanceId: id,
      taskId,
      version: found.version,
      steps: restore_id === null ? stepsFor(found, role) : withRestore(stepsFor(found, role)),
      ...(found.script !== undefined && { script: found.script }),
    }
  )
}

/** Asks the agent for the install. False when the catalogue no longer has the version. */
export async function requestInstall(
  { agents, compute }: Pick<ClusterDeps, 'agents' | 'compute'>,
  trx: Trx,
  instance: Pick<InstanceRow, 'id' | 'role' | 'restore_id'>,
  desired: DesiredInstall,
): Promise<boolean> {
  const request = installOf(compute.catalog, instance, desired)
  if (request) await agents.requestInstall(trx, request)
  return request !== undefined
}

/** A worker has nothing to hand over: activation is its master's. */
function stepsFor({ steps }: CatalogVersion, role: InstanceRole): string[] {
  return role === 'worker' ? steps.filter((step) => step !== 'handover') : steps
}

/** Files are restored before the handover, so that the user who activates the cluster finds them. */
function withRestore(steps: readonly string[]): string[] {
  const last = steps.at(-1) === 'handover' ? steps.slice(-1) : []
  return [...steps.slice(0, steps.length - last.length), restoreStep, ...last]
}
