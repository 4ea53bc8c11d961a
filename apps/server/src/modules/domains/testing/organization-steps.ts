/** Domains in use with their members, as their owners and those who join bring them about. */
import type { ScriptedWallet } from '@atoll/testkit'
import type { Caller } from '../../../platform/caller.ts'
import { addDomain, setRule } from '../claims/domain-service.ts'
import { inviteMember } from '../members/invite.ts'
import { joinDomain } from '../members/join.ts'
import { membersOf } from '../records/member-store.ts'
import { requestCredential, submitPresentation } from '../wallet/wallet-service.ts'
import type { DomainWorld } from './domain-world.ts'
import { createPapers } from './wallet-papers.ts'

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

/** The steps in `world`. */
export function organizationsIn(world: DomainWorld) {
  let serial = 0

  /** A domain in use, whose owner is `lena`; who may join is decided by `rule`. */
  async function createOrganization(rule = ''): Promise<Organization> {
    serial += 1
    return await linkDomain(await world.createWallet(), `team.members${serial}.example`, 'lena', rule)
  }

  /** `owner` proves `domain` and takes `adminName` under it; throws what they are denied for. */
  async function linkDomain(owner: Person, domain: string, adminName: string, rule = ''): Promise<Organization> {
    const { caller, wallet } = owner
    const added = await addDomain(world.deps, caller, { domain, method: 'ns' })
    world.dns.records.add(`TXT ${added.txt?.value}`).add(`NS ${domain}`)
    await world.reconcile(added.id)
    const papers = createPapers(wallet, 'https://atoll.test', world.clock.now().getTime())
    const issued = await requestCredential(world.deps, caller, { domain, jws: papers.application(domain), locale })
    const jws = papers.presentation(issued.verifiableCredentials)
    const { status, reason } = await submitPresentation(world.deps, caller, { domain, jws, locale, adminName })
    if (status === 'denied') throw new Error(reason)
    if (rule !== '') await setRule(world.deps, caller, { domain, ruleType: 'fixed_email_suffix', ruleData: rule })
    await world.reconcile(added.id)
    return { caller, wallet, domain }
  }

  async function createPerson(email?: string): Promise<Person> {
    const person = await world.createWallet()
    if (email !== undefined)
      await world.db.updateTable('accounts').set({ email }).where('account_id', '=', person.caller.userid).execute()
    return person
  }

  function joinJws(wallet: ScriptedWallet, request: { name: string; password?: string; domain: string }): string {
    const now = Math.floor(world.clock.now().getTime() / 1000)
    const times = { nbf: now - 10, exp: now + 365 * 24 * 3600, iss: wallet.kid }
    const member = { member_name: request.name, member_password: request.password ?? '', org_domain: request.domain }
    return wallet.sign({ ...member, address: '0x00', id: wallet.did, ...times })
  }
  const join = ({ caller, wallet }: Person, request: Parameters<typeof joinJws>[1]) =>
    joinDomain(world.deps, { jws: joinJws(wallet, request), locale, ip: '192.0.2.7' }, caller)
  const invite = ({ caller, domain }: Organization, name: string, more: object = {}) =>
    inviteMember(world.deps, caller, { domain, name, locale, ...more })
  const listed = async ({ caller, domain }: Organization) => {
    const { number } = await world.db
      .selectFrom('domains')
      .select('number')
      .where('name', '=', domain)
      .where('userid', '=', caller.userid)
      .where('released_at', 'is', null)
      .executeTakeFirstOrThrow()
    return (await membersOf(world.db, number).execute()).map(({ name, did }) => [name, did])
  }
  const nameOf = ({ caller }: Person) => world.identity.findNameOfDid(world.db, caller.did)

  return { createOrganization, linkDomain, createPerson, joinJws, join, invite, listed, nameOf }
}
