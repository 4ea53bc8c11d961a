/**
 * The rules that clusters are watched by: as they are by default, or as the owner chose. A threshold is told and kept
 * in the unit of its rule; what is compared are shares, 0..1, for those in percent.
 */
import { type AlertRuleChange, type AlertRuleName, alertMeasures } from '@atoll/contract/observe'
import { sql } from 'kysely'
import type { Db, Trx } from '../../../platform/db/index.ts'
import '../observe-tables.ts'
import type { AlertRule } from './alert-state.ts'

/** A rule of a cluster, in its unit. */
export type RuleChoice = Omit<AlertRuleChange, 'clusterId' | 'rule'>

/** Design/usage, "Alerts". A backup runs a while: it is late an hour after it should have been completed. */
const defaults: Record<AlertRuleName, RuleChoice> = {
  disk: { isOn: true, mail: true, threshold: 90, clearBelow: 85, forMinutes: 10 },
  memory: { isOn: true, mail: true, threshold: 90, clearBelow: 85, forMinutes: 15 },
  offline: { isOn: true, mail: true, forMinutes: 5 },
  workload: { isOn: true, mail: true, forMinutes: 5 },
  backup: { isOn: true, mail: true, threshold: 2, forMinutes: 60 },
  proof: { isOn: true, mail: true, threshold: 45, forMinutes: 60 },
}

export const ruleNames = Object.keys(defaults) as AlertRuleName[] // the keys of a record by rule

/** One that a later version no longer has is not shown. */
export function isRule(name: string): name is AlertRuleName {
  return Object.hasOwn(defaults, name)
}

/** How a value that is compared becomes one in the unit of its rule. */
export function scaleOf(rule: AlertRuleName): number {
  return alertMeasures[rule].unit === 'percent' ? 100 : 1
}

/** As it is evaluated. Without a measure it is 1 while it is so, else 0. */
export function ruleOf(name: AlertRuleName, { threshold, clearBelow, forMinutes, mail }: RuleChoice): AlertRule {
  const fires = (threshold ?? 1) / scaleOf(name)
  return {
    threshold: fires,
    clearBelow: clearBelow === undefined ? fires : clearBelow / scaleOf(name),
    forMinutes,
    mail,
  }
}

export const defaultRules = Object.fromEntries(ruleNames.map((name) => [name, ruleOf(name, defaults[name])])) as Record<
  AlertRuleName,
  AlertRule
> // of every name

/** What was chosen, by cluster and rule. */
export interface RuleBook {
  of(clusterId: string, rule: AlertRuleName): RuleChoice
  /** At or above this somebody's rule may fire. */
  least(rule: AlertRuleName): number
}

/** The rules of these clusters, or of all. */
export async function readRules(db: Db, clusterIds?: string | readonly string[]): Promise<RuleBook> {
  const rows = await db
    .selectFrom('alert_rules')
    .selectAll()
    .$if(clusterIds !== undefined, (query) =>
      query.where('cluster_id', '=', sql<string>`any(${[clusterIds ?? []].flat()}::text[])`),
    )
    .execute()
  const chosen = new Map(
    rows.map((row) => [
      `${row.cluster_id} ${row.rule}`,
      {
        ...{ isOn: row.is_on, mail: row.mail, forMinutes: row.for_minutes },
        ...(row.threshold !== null && { threshold: row.threshold }),
        ...(row.clear_below !== null && { clearBelow: row.clear_below }),
      },
    ]),
  )
  const least = { ...mapRules((rule) => defaultRules[rule].threshold) }
  for (const { rule, threshold } of rows) {
    if (isRule(rule) && threshold !== null) least[rule] = Math.min(least[rule], threshold / scaleOf(rule))
  }
  return {
    of: (cluster, rule) => chosen.get(`${cluster} ${rule}`) ?? defaults[rule],
    least: (rule) => least[rule],
  }
}

function mapRules<T>(give: (rule: AlertRuleName) => T): Record<AlertRuleName, T> {
  return Object.fromEntries(ruleNames.map((rule) => [rule, give(rule)])) as Record<AlertRuleName, T> // of every name
}

/** `clusterId` is one cluster's. */
export async function saveRule(trx: Trx, { clusterId, rule, ...choice }: AlertRuleChange): Promise<void> {
  const values = {
    ...{ is_on: choice.isOn, mail: choice.mail, for_minutes: choice.forMinutes },
    ...{ threshold: choice.threshold ?? null, clear_below: choice.clearBelow ?? null },
  }
  await trx
    .insertInto('alert_rules')
    .values({ cluster_id: clusterId, rule, ...values })
    .onConflict((conflict) => conflict.columns(['cluster_id', 'rule']).doUpdateSet(values))
    .execute()
}
