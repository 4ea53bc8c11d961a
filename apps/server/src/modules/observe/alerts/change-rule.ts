import type { AlertRuleChange } from '@atoll/contract/observe'
import type { Caller } from '../../../platform/caller.ts'
import type { Db, Trx } from '../../../platform/db/index.ts'
import { publishChange } from '../../../platform/events/index.ts'
import { refuse } from '../../../platform/refusal.ts'
import { recordAudit } from '../../audit/index.ts'
import { type RuleChoice, readRules, saveRule } from './alert-rules.ts'

export interface RuleChangeDeps {
  db: Db
  /** Locks a cluster that `caller` may change; refuses one that they may not see like one that does not exist. */
  lockCluster(trx: Trx, caller: Caller, clusterId: string): Promise<{ name: string; owner: string }>
  /** The living instances of this very account's clusters. */
  listOwned(db: Db, userid: string): Promise<{ clusterId: string; instanceId: string }[]>
}

/** Takes effect with the next minute. Safe to repeat: what is so already is not written down again. */
export async function changeRule(deps: RuleChangeDeps, caller: Caller, change: AlertRuleChange): Promise<void> {
  await deps.db.transaction().execute(async (trx) => {
    if (change.clusterId !== 'all') return await changeOne(deps, trx, caller, change)
    const owned = await deps.listOwned(trx, caller.userid)
    // Always in the same order, so that two who do so at once wait for each other.
    const clusterIds = [...new Set(owned.map(({ clusterId }) => clusterId))].toSorted()
    if (clusterIds.length === 0) return refuse('notFound', { object: 'cluster' })
    for (const clusterId of clusterIds) await changeOne(deps, trx, caller, { ...change, clusterId })
  })
}

async function changeOne(
  { lockCluster }: RuleChangeDeps,
  trx: Trx,
  caller: Caller,
  change: AlertRuleChange,
): Promise<void> {
  const { clusterId, rule, ...choice } = change
  const { name, owner } = await lockCluster(trx, caller, clusterId)
  const before = factsOf((await readRules(trx, clusterId)).of(clusterId, rule))
  const after = factsOf(choice)
  if (JSON.stringify(before) === JSON.stringify(after)) return
  await saveRule(trx, change)
  await recordAudit(trx, {
    ...{ actor: caller, ip: caller.ip, action: 'alertRule.change' },
    object: { kind: 'alertRule', id: clusterId, owner, name },
    before: { alert: rule, ...before },
    after: { alert: rule, ...after },
  })
  await publishChange(trx, { account: owner, topic: 'cluster', id: clusterId })
}

function factsOf({ isOn, mail, forMinutes, threshold, clearBelow }: RuleChoice) {
  return {
    ...{ watched: isOn, mailed: mail, forMinutes },
    ...(threshold !== undefined && { threshold }),
    ...(clearBelow !== undefined && { clearBelow }),
  }
}
