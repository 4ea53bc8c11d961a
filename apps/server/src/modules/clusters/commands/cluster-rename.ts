import { clusterNamePattern } from '@atoll/contract/wire'
import type { Caller } from '../../../platform/caller.ts'
import type { Trx } from '../../../platform/db/index.ts'
import { refuse } from '../../../platform/refusal.ts'
import type { ClusterDeps } from '../cluster-deps.ts'
import { auditCluster, type OfCluster, runCommand } from './cluster-command.ts'

/**
 * Gives a cluster another name. Its address was made from the owner's ID and stays; its personal server, which shows
 * the name, is notified. The owner's account is locked first, as by an order: no two of their clusters get one name.
 */
export async function renameCluster(
  deps: ClusterDeps,
  caller: Caller,
  body: OfCluster & { name: string },
): Promise<{ name: string }> {
  const request = { call: 'clusterRename', body, clusterId: body.clusterId }
  return await runCommand(deps, caller, request, async (command) => {
    const { trx, cluster, instances } = command
    const name = requireFreeName(await listNames(trx, cluster.owner, cluster.id), body.name, deps.config.product)
    if (name === cluster.name) return { name }
    await trx.updateTable('clusters').set({ name }).where('id', '=', cluster.id).execute()
    const ids = instances.map(({ id }) => id)
    await deps.agents.refreshConfig(trx, ids)
    const renamed = { ...command, cluster: { ...cluster, name } }
    const facts = { before: { clusterName: cluster.name }, after: { clusterName: name } }
    await auditCluster(renamed, 'cluster.rename', facts)
    return { name }
  })
}

/** Names of the owner's clusters that are not gone, but for that of `except`. */
export async function listNames(trx: Trx, owner: string, except?: string): Promise<string[]> {
  const rows = await trx
    .selectFrom('clusters')
    .select(['id', 'name'])
    .where('owner', '=', owner)
    .where('status', 'not in', ['destroyed', 'canceled'])
    .execute()
  return rows.filter(({ id }) => id !== except).map(({ name }) => name)
}

/** `asked` without the spaces around it; refuses what is malformed or among `taken`, compared without case. */
export function requireFreeName(taken: readonly string[], asked: string, product: string): string {
  const name = asked.trim()
  if (!clusterNamePattern.test(name)) return refuse('clusterNameMalformed')
  if (taken.some((other) => other.toLowerCase() === name.toLowerCase())) refuse('clusterNameTaken', { product, name })
  return name
}
