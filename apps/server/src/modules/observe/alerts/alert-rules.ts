/**
 * The rules that clusters are watched by: as they are by default, as the owner chose for all clusters, or for this one,
 * which goes before. A threshold is shown and kept in the unit of its rule; what is compared are shares, 0..1, for
 * those in percent.
 */
import {
  type AlertRuleChange,
  type AlertRuleName,
  alertKindOf,
  alertKinds,
  alertRuleNames,
} from '@atoll/contract/observe'
import { sql } from 'kysely'
import type { Db, Trx } from '../../../platform/db/index.ts'
import type { AlertChoiceTable } from '../observe-tables.ts'
import type { AlertRule } from './alert-state.ts'

/** A rule of a cluster, in its unit. */
export type RuleChoice = Omit<AlertRuleChange, 'clusterId' | 'rule'>

function defaultOf(rule: AlertRuleName): RuleChoice {
  const { threshold, clearBelow, forMinutes } = alertKindOf(rule)
  return { isOn: true, mail: true, threshold, clearBelow, forMinutes }
}

/** One that a later version no longer has is not shown. */
export function isRule(name: string): name is AlertRuleName {
  return Object.hasOwn(alertKinds, name)
}

/** How a value that is compared becomes one in the unit of its rule. */
export function scaleOf(rule: AlertRuleName): number {
  return alertKindOf(rule).unit === 'percent' ? 100 : 1
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

export const defaultRules = Object.fromEntries(
  alertRuleNames.map((name) => [name, ruleOf(name, defaultOf(name))]),
) as Record<AlertRuleName, AlertRule> // of every name

/** The rules of clusters, and what those are that have none of their own. */
export interface RuleBook {
  of(clusterId: string, rule: AlertRuleName): RuleChoice
}

const choiceColumns = sql.raw('rule, is_on, mail, threshold, clear_below, for_minutes')

/** The rules of these clusters. */
export async function readRules(db: Db, clusterIds: readonly string[]): Promise<RuleBook> {
  const ids = [...clusterIds]
  const { rows } = await sql<AlertChoiceTable & { cluster_id: string }>`
    select owned.id as cluster_id, false as is_own, ${choiceColumns}
    from owned_clusters owned join account_alert_rules using (owner) where owned.id = any(${ids}::text[])
    union all
    select cluster_id, true, ${choiceColumns} from alert_rules where cluster_id = any(${ids}::text[])
    order by is_own`.execute(db)
  // The cluster's own come last.
  const chosen = new Map(rows.map((row) => [`${row.cluster_id} ${row.rule}`, choiceOf(row)]))
  return { of: (cluster, rule) => chosen.get(`${cluster} ${rule}`) ?? defaultOf(rule) }
}

/** The rules that an owner chose for all clusters, or the defaults. */
export async function readAccountRules(db: Db, owner: string): Promise<(rule: AlertRuleName) => RuleChoice> {
  const rows = await db.selectFrom('account_alert_rules').selectAll().where('owner', '=', owner).execute()
  const chosen = new Map(rows.map((row) => [row.rule, choiceOf(row)]))
  return (rule) => chosen.get(rule) ?? defaultOf(rule)
}

function choiceOf(row: AlertChoiceTable): RuleChoice {
  return {
    isOn: row.is_on,
    mail: row.mail,
    forMinutes: row.for_minutes,
    ...(row.threshold !== null && { threshold: row.threshold }),
    ...(row.clear_below !== null && { clearBelow: row.clear_below }),
  }
}

/** At or above this somebody's rule may fire. */
export async function readLeast(db: Db): Promise<(rule: AlertRuleName) => number> {
  const { rows } = await sql<{ rule: string; threshold: number }>`
    select rule, min(threshold) as threshold
    from (select rule, threshold from alert_rules union all select rule, threshold from account_alert_rules) as chosen
    where threshold is not null group by rule`.execute(db)
  const chosen = new Map(rows.map(({ rule, threshold }) => [rule, threshold]))
  return (rule) =>
    Math.min(defaultRules[rule].threshold, (chosen.get(rule) ?? Number.POSITIVE_INFINITY) / scaleOf(rule))
}

/** `clusterId` is one cluster's. */
export async function saveRule(trx: Trx, { clusterId, rule, ...choice }: AlertRuleChange): Promise<void> {
  const values = columnsOf(choice)
  await trx
    .insertInto('alert_rules')
    .values({ cluster_id: clusterId, rule, ...values })
    .onConflict((conflict) => conflict.columns(['cluster_id', 'rule']).doUpdateSet(values))
    .execute()
}

export async function saveAccountRule(
  trx: Trx,
  { owner, rule, choice }: { owner: string; rule: AlertRuleName; choice: RuleChoice },
): Promise<void> {
  const values = columnsOf(choice)
  await trx
    .insertInto('account_alert_rules')
    .values({ owner, rule, ...values })
    .onConflict((conflict) => conflict.columns(['owner', 'rule']).doUpdateSet(values))
    .execute()
}

/** Whether a cluster has a rule of its own. */
export async function hasRule(db: Db, clusterId: string, rule: AlertRuleName): Promise<boolean> {
  const query = db.selectFrom('alert_rules').select('rule').where('cluster_id', '=', clusterId).where('rule', '=', rule)
  return (await query.executeTakeFirst()) !== undefined
}

/** The cluster goes by what its owner chose for all. */
export async function dropRule(trx: Trx, clusterId: string, rule: AlertRuleName): Promise<void> {
  await trx.deleteFrom('alert_rules').where('cluster_id', '=', clusterId).where('rule', '=', rule).execute()
}

function columnsOf(choice: RuleChoice) {
  return {
    is_on: choice.isOn,
    mail: choice.mail,
    for_minutes: choice.forMinutes,
    threshold: choice.threshold ?? null,
    clear_below: choice.clearBelow ?? null,
  }
}
