import type { AlertRuleChange, AlertRuleName } from '@atoll/contract/observe'
import type { Caller } from '../../../platform/caller.ts'
import type { Db, Trx } from '../../../platform/db/index.ts'
import { publishChange } from '../../../platform/events/index.ts'
import { recordAudit } from '../../audit/index.ts'
import {
  dropRule,
  hasRule,
  type RuleChoice,
  readAccountRules,
  readRules,
  saveAccountRule,
  saveRule,
} from './alert-rules.ts'

export interface RuleChangeDeps {
  db: Db
  /** Locks a cluster that `caller` may change; refuses one that they may not see like one that does not exist. */
  lockCluster(trx: Trx, caller: Caller, clusterId: string): Promise<{ name: string; owner: string }>
  /** The living instances of this very account's clusters. */
  listOwned(db: Db, userid: string): Promise<{ clusterId: string; instanceId: string }[]>
}

type Chosen = Omit<AlertRuleChange, 'clusterId'>

/** Takes effect with the next minute. Safe to repeat: what is so already is not written down again. */
export async function changeRule(deps: RuleChangeDeps, caller: Caller, change: AlertRuleChange): Promise<void> {
  const { clusterId, ...chosen } = change
  await deps.db.transaction().execute(async (trx) => {
    if (clusterId === 'all') return await changeAll(deps, trx, caller, chosen)
    if (await noteAt(deps, trx, caller, clusterId, chosen)) await saveRule(trx, change)
  })
}

/** From now on all clusters go by it, those made later, too: rules of single ones are deleted. */
async function changeAll(deps: RuleChangeDeps, trx: Trx, caller: Caller, chosen: Chosen): Promise<void> {
  const { rule, ...choice } = chosen
  const owner = caller.userid
  const owned = await deps.listOwned(trx, owner)
  // Always in the same order, so that two who do so at once wait for each other.
  const clusterIds = [...new Set(owned.map(({ clusterId }) => clusterId))].toSorted()
  for (const clusterId of clusterIds) {
    if (!(await hasRule(trx, clusterId, rule))) continue
    await noteAt(deps, trx, caller, clusterId, chosen)
    await dropRule(trx, clusterId, rule)
  }
  const before = (await readAccountRules(trx, owner))(rule)
  const object = { id: owner, owner }
  if (!(await note(trx, caller, { rule, before, after: choice, object, action: 'alertRule.changeAll' }))) return
  await saveAccountRule(trx, { owner, rule, choice })
  for (const id of clusterIds) await publishChange(trx, { account: owner, topic: 'cluster', id })
}

/** Writes down that the rule changes at a cluster; false: it is so already. */
async function noteAt(
  { lockCluster }: RuleChangeDeps,
  trx: Trx,
  caller: Caller,
  clusterId: string,
  { rule, ...after }: Chosen,
): Promise<boolean> {
  const { name, owner } = await lockCluster(trx, caller, clusterId)
  const before = (await readRules(trx, [clusterId])).of(clusterId, rule)
  const object = { id: clusterId, owner, name }
  if (!(await note(trx, caller, { rule, before, after, object, action: 'alertRule.change' }))) return false
  await publishChange(trx, { account: owner, topic: 'cluster', id: clusterId })
  return true
}

interface Noted {
  rule: AlertRuleName
  before: RuleChoice
  after: RuleChoice
  object: { id: string; owner: string; name?: string }
  action: 'alertRule.change' | 'alertRule.changeAll'
}

async function note(trx: Trx, caller: Caller, { rule, object, action, ...change }: Noted): Promise<boolean> {
  const [before, after] = [factsOf(change.before), factsOf(change.after)]
  if (JSON.stringify(before) === JSON.stringify(after)) return false
  await recordAudit(trx, {
    actor: caller,
    ip: caller.ip,
    action,
    object: { kind: 'alertRule', ...object },
    before: { alert: rule, ...before },
    after: { alert: rule, ...after },
  })
  return true
}

function factsOf({ isOn, mail, forMinutes, threshold, clearBelow }: RuleChoice) {
  return {
    watched: isOn,
    mailed: mail,
    forMinutes,
    ...(threshold !== undefined && { threshold }),
    ...(clearBelow !== undefined && { clearBelow }),
  }
}
