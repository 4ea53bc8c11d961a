/** Domains in use with their members, as their owners and those who join bring them about. */
import type { ScriptedWallet } from '@atoll/testkit'
import type { Caller } from '../../../platform/caller.ts'
import { addDomain, setRule } from '../claims/domain-service.ts'
import { inviteMember } from '../members/invite.ts'
import { joinDomain } from '../members/join.ts'
import { membersOf } from '../records/member-store.ts'
import { requestCredential, submitPresentation } from '../wallet/wallet-service.ts'
import type { DomainHarness } from './domain-harness.ts'
import { createDocuments } from './wallet-documents.ts'

const locale = 'en-US'

export interface Organization {
  caller: Caller
  wallet: ScriptedWallet
  domain: string
}
export interface Person {
  caller: Caller
  wallet: ScriptedWallet
}

/** The steps in `harness`. */
export function organizationsIn(harness: DomainHarness) {
  let serial = 0

  /** A domain in use, whose owner is `lena`; who may join is decided by `rule`. */
  async function createOrganization(rule = ''): Promise<Organization> {
    serial += 1
    return await linkDomain(await harness.createWallet(), `team.members${serial}.example`, 'lena', rule)
  }

  /** `owner` proves `domain` and takes `adminName` under it; throws what they are denied for. */
  async function linkDomain(owner: Person, domain: string, adminName: string, rule = ''): Promise<Organization> {
    const { caller, wallet } = owner
    const added = await addDomain(harness.deps, caller, { domain, method: 'ns' })
    harness.dns.records.add(`TXT ${added.txt?.value}`).add(`NS ${domain}`)
    await harness.reconcile(added.id)
    const documents = createDocuments(wallet, 'https://atoll.test', harness.clock.now().getTime())
    const issued = await requestCredential(harness.deps, caller, { domain, jws: documents.application(domain), locale })
    const jws = documents.presentation(issued.verifiableCredentials)
    const { status, reason } = await submitPresentation(harness.deps, caller, { domain, jws, locale, adminName })
    if (status === 'denied') throw new Error(reason)
    if (rule !== '') await setRule(harness.deps, caller, { domain, ruleType: 'fixed_email_suffix', ruleData: rule })
    await harness.reconcile(added.id)
    return { caller, wallet, domain }
  }

  async function createPerson(email?: string): Promise<Person> {
    const person = await harness.createWallet()
    if (email !== undefined)
      await harness.db.updateTable('accounts').set({ email }).where('account_id', '=', person.caller.userid).execute()
    return person
  }

  function joinJws(wallet: ScriptedWallet, request: { name: string; password?: string; domain: string }): string {
    const now = Math.floor(harness.clock.now().getTime() / 1000)
    const times = { nbf: now - 10, exp: now + 365 * 24 * 3600, iss: wallet.kid }
    const member = { member_name: request.name, member_password: request.password ?? '', org_domain: request.domain }
    return wallet.sign({ ...member, address: '0x00', id: wallet.did, ...times })
  }
  const join = ({ caller, wallet }: Person, request: Parameters<typeof joinJws>[1]) =>
    joinDomain(harness.deps, { jws: joinJws(wallet, request), locale, ip: '192.0.2.7' }, caller)
  const invite = ({ caller, domain }: Organization, name: string, more: object = {}) =>
    inviteMember(harness.deps, caller, { domain, name, locale, ...more })
  const listed = async ({ caller, domain }: Organization) => {
    const { number } = await harness.db
      .selectFrom('domains')
      .select('number')
      .where('name', '=', domain)
      .where('userid', '=', caller.userid)
      .where('released_at', 'is', null)
      .executeTakeFirstOrThrow()
    return (await membersOf(harness.db, number).execute()).map(({ name, did }) => [name, did])
  }
  const nameOf = ({ caller }: Person) => harness.identity.findNameOfDid(harness.db, caller.did)

  return { createOrganization, linkDomain, createPerson, joinJws, join, invite, listed, nameOf }
}
