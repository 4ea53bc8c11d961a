/** Domains brought to each step of their life, as their owners and the world outside bring them there. */
import type { Domain } from '@atoll/contract/domains'
import type { Caller } from '../../../platform/caller.ts'
import { domainDetailJson } from '../claims/domain-json.ts'
import { addDomain, checkDomain, setRule } from '../claims/domain-service.ts'
import { findOwnDomain } from '../records/domain-store.ts'
import type { DomainHarness } from './domain-harness.ts'

export type DomainSteps = ReturnType<typeof stepsIn>

/** The steps in `harness`. */
export function stepsIn(harness: DomainHarness) {
  let serial = 0
  function newName(): string {
    serial += 1
    return `cloud.lagoon${serial}.example`
  }
  const shown = async (caller: Caller, name: string) => {
    const row = await findOwnDomain(harness.db, caller.userid, name)
    if (!row) throw new Error(`${name} is not there`)
    return await domainDetailJson(harness.deps, row)
  }
  const provable = (domain: Domain) => `TXT ${domain.txt?.value}`

  /** A claim whose TXT record is there, checked. */
  async function proven(caller: Caller, domain = newName(), method: 'ns' | 'cname' = 'ns'): Promise<Domain> {
    const added = await addDomain(harness.deps, caller, { domain, method })
    harness.dns.records.add(provable(added))
    await harness.reconcile(added.id)
    return await shown(caller, added.domain)
  }
  /** A claim that points here too. */
  async function delegated(caller: Caller, domain = newName()): Promise<Domain> {
    const { id, domain: name } = await proven(caller, domain)
    harness.dns.records.add(`NS ${name}`)
    await checkDomain(harness.deps, caller, name)
    await harness.reconcile(id)
    return await shown(caller, name)
  }
  /** A claim for which the wallet has done its part. */
  async function presented(caller: Caller): Promise<Domain> {
    const { id, domain } = await delegated(caller)
    await harness.db.updateTable('domains').set({ status: 'WAIT_RULE_SET' }).where('number', '=', id).execute()
    return await shown(caller, domain)
  }
  async function linked(caller: Caller): Promise<Domain> {
    const { id, domain } = await presented(caller)
    await setRule(harness.deps, caller, { domain, ruleType: 'specified_email_address', ruleData: '' })
    await harness.reconcile(id)
    return await shown(caller, domain)
  }
  async function recorded(number: number): Promise<string[]> {
    const of = (table: 'audit_entries' | 'audit_drafts') =>
      harness.db
        .selectFrom(table)
        .select('action')
        .where('object_id', '=', String(number))
        .where('object_kind', '=', 'domain')
    const rows = [
      ...(await of('audit_entries').orderBy('seq').execute()),
      ...(await of('audit_drafts').orderBy('id').execute()),
    ]
    return rows.map(({ action }) => action)
  }

  return { newName, shown, provable, proven, delegated, presented, linked, recorded }
}
