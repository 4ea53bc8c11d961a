import { type Backups, createAwsStore, createBackups, noteDamagedFile, planFiles } from '../modules/backups/index.ts'
import {
  findActiveCluster,
  findClusterOfMaster,
  listClusterNames,
  listOwnMasters,
  wakeCluster,
} from '../modules/clusters/index.ts'
import { takeBackup } from '../modules/usage/index.ts'
import {
  bringBackSnapshot,
  createVault,
  findTrashUntil,
  listBadFiles,
  listSnapshotFiles,
  listTrashUntil,
  moveRepository,
  scrubLeft,
  usageOf,
  type Vault,
} from '../modules/vault/index.ts'
import type { ClockWatch } from '../platform/careful/index.ts'
import type { Db } from '../platform/db/index.ts'
import type { Base, Modules } from './modules.ts'

/** Where copies are kept. */
export function composeVault(
  { db, clock, config, log, sealer }: Base,
  { billing }: Pick<Modules, 'billing'>,
  clockWatch: ClockWatch,
): Vault {
  return createVault({
    db,
    clock,
    log,
    config,
    readQuota: billing.backupQuota,
    beforeSweep: clockWatch.look,
    planFiles: planFiles(sealer),
    strayMs: config.strayMs,
    onDamaged: (trx, file) => noteDamagedFile(trx, { ...file, at: clock.now() }),
  })
}

/** Copies. */
export function composeBackups(
  { db, clock, config, catalog }: Base,
  { accounts, agents, mail, clusters, vault }: Pick<Modules, 'accounts' | 'agents' | 'mail' | 'clusters' | 'vault'>,
): Backups {
  const quotasOf = async (from: Db, userid: string) => {
    const { planLevel } = await accounts.getUser(from, userid)
    return catalog.current().plans.find(({ level }) => level === planLevel)?.quotas
  }
  return createBackups({
    db,
    clock,
    config,
    agents,
    vault,
    listSnapshotFiles,
    listBadFiles,
    scrubLeft,
    listTrashUntil,
    findTrashUntil,
    bringBackSnapshot,
    mail,
    usageOf,
    onHeld: (trx, held) => takeBackup(trx, held, clock.now()),
    listOwnMasters,
    async proveMaster(from, { instanceId, agentToken }) {
      const proven = await agents.proveInstance(from, `Bearer ${instanceId}.${agentToken}`)
      return proven === undefined ? undefined : await findClusterOfMaster(from, proven)
    },
    listClusterNames,
    cloudStore: config.clientStore && createAwsStore(config.clientStore),
    findActiveCluster,
    moveRepository,
    wakeCluster,
    lockAccount: accounts.lockLimits,
    quotaOf: async (from, userid) => ((await quotasOf(from, userid))?.backupGB ?? 0) * 1e9,
    drills: clusters.drills,
    async drillTerms(from, userid) {
      const [quotas, { currency }] = await Promise.all([quotasOf(from, userid), accounts.getLimits(from, userid)])
      return { hasDrills: (quotas?.drills ?? 0) > 0, currency }
    },
  })
}
