import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { raiseDoubt, settleDoubt } from '../../../platform/careful/index.ts'
import { restName } from '../../identity/index.ts'
import { addDomain, removeDomain, setRule } from '../claims/domain-service.ts'
import { releaseDomain } from '../lifecycle/end-claim.ts'
import { createDomainHarness, type DomainHarness } from '../testing/domain-harness.ts'
import { organizationsIn } from '../testing/organization-steps.ts'
import { withdrawInvitation } from './invite.ts'

let harness: DomainHarness
let steps: ReturnType<typeof organizationsIn>
beforeAll(async () => {
  harness = await createDomainHarness()
  steps = organizationsIn(harness)
})
afterAll(() => harness[Symbol.asyncDispose]())
beforeEach(() => {
  harness.mails.length = 0
  // Nobody's pause counts for the next test.
  harness.clock.advance(3_600_000)
})

test('members end with their domain: their IDs are free, kept for them, and they are notified', async () => {
  const organization = await steps.createOrganization()
  const { caller, domain } = organization
  const { oneTimePassword: password } = await steps.invite(organization, 'kai')
  await steps.invite(organization, 'moa')
  const kai = await steps.createPerson('kai@gmail.com')
  await harness.db
    .updateTable('accounts')
    .set({ locale: 'zh-CN' })
    .where('account_id', '=', kai.caller.userid)
    .execute()
  await steps.join(kai, { name: 'kai', password, domain })
  await removeDomain(harness.deps, caller, { domain, confirm: domain })
  expect(await steps.nameOf(kai)).toBeNull()
  expect(harness.mails).toMatchObject([
    { to: 'kai@gmail.com', locale: 'zh-CN', params: { event: 'nameLost', name: `kai@${domain}` } },
  ])
  expect(await addDomain(harness.deps, caller, { domain, method: 'ns' })).toMatchObject({ status: 'WAIT_TXT' })
  expect(await steps.listed(organization)).toEqual([])
  expect(await releaseDomain(harness.deps, domain)).toBeUndefined()
})

describe('an ID that ended with its domain', () => {
  /** Kai was a member until the domain was released. */
  async function createReleased() {
    const before = await steps.createOrganization()
    const { domain } = before
    const kai = await steps.createPerson('kai@gmail.com')
    const { oneTimePassword: password } = await steps.invite(before, 'kai')
    await steps.join(kai, { name: 'kai', password, domain })
    expect(await releaseDomain(harness.deps, domain)).toBe(before.caller.did)
    return { before, kai, domain }
  }
  /** The same owner has linked it again. */
  async function createReturned() {
    const { before, kai, domain } = await createReleased()
    return { kai, returned: await steps.linkDomain(before, domain, 'lena') }
  }
  const day = (ms: number) => new Date(harness.clock.now().getTime() + ms).toISOString().slice(0, 10)
  const keptMs = 365 * 24 * 3_600_000

  test('is kept for its last holder, too, where an erased account had it before and its rest is over', async () => {
    const { returned } = await createReturned()
    const ended = new Date(harness.clock.now().getTime() - 1)
    await harness.db.transaction().execute((trx) => restName(trx, { name: `kai@${returned.domain}` }, ended))
    await expect(steps.invite(returned, 'kai')).rejects.toMatchObject({ key: 'invitationNameKept' })
  })

  test('is offered by email alone for a year, and the answer reveals to nobody whose it was', async () => {
    const { kai, returned } = await createReturned()
    await expect(steps.invite(returned, 'kai')).rejects.toMatchObject({
      key: 'invitationNameKept',
      params: { name: `kai@${returned.domain}`, date: day(keptMs) },
    })
    const { oneTimePassword, ...wrong } = await steps.invite(returned, 'kai', { email: 'other@gmail.com' })
    const other = await steps.createPerson('other@gmail.com')
    const { domain } = returned
    await expect(steps.join(other, { name: 'kai', password: oneTimePassword, domain })).rejects.toMatchObject({
      key: 'nameKept',
    })
    await withdrawInvitation(harness.deps, returned.caller, { domain, name: 'kai' })
    const { oneTimePassword: password, ...right } = await steps.invite(returned, 'kai', { email: 'Kai@gmail.com' })
    const expected = { mailed: true, member: { ...wrong.member, email: 'Kai@gmail.com' } }
    expect(right).toEqual(expected)
    await expect(steps.join(other, { name: 'kai', password, domain })).rejects.toMatchObject({ key: 'nameKept' })
    expect(await steps.join(kai, { name: 'kai', password, domain })).toBe(`kai@${domain}`)
  })

  test('is free after a year', async () => {
    const { returned } = await createReturned()
    harness.clock.advance(keptMs)
    // Taking the name would be final, though the clock may only have jumped.
    await raiseDoubt(harness.db, 'clock', 'it jumped', harness.clock.now())
    await expect(steps.invite(returned, 'kai')).rejects.toMatchObject({ key: 'invitationNameKept' })
    await settleDoubt(harness.db, 'clock')
    expect(await steps.invite(returned, 'kai')).toMatchObject({ member: { state: 'invited' } })
  })

  test('is not the first ID of the owner who is back, nor what a rule lets others take', async () => {
    const { before, kai, domain } = await createReleased()
    const denied = await steps.linkDomain(before, domain, 'kai').catch((error: unknown) => error)
    expect(String(denied)).toContain(`kai@${domain} is kept for its last holder until ${day(keptMs)}`)
    expect(await harness.identity.findNameOfDid(harness.db, before.caller.did)).toBeNull()
    await removeDomain(harness.deps, before.caller, { domain, confirm: domain })
    const again = await steps.linkDomain(before, domain, 'lena')
    await setRule(harness.deps, again.caller, { domain, ruleType: 'fixed_email_suffix', ruleData: 'reef.example' })
    // As rules were before those of public providers were refused; they stay.
    const old = { rule_data: 'gmail.com' }
    await harness.db.updateTable('domains').set(old).where('userid', '=', again.caller.userid).execute()
    const other = await steps.createPerson('other@gmail.com')
    await expect(steps.join(other, { name: 'kai', domain })).rejects.toMatchObject({ key: 'nameKept' })
    expect(await steps.join(kai, { name: 'kai', domain })).toBe(`kai@${domain}`)
  })

  test('is free at once when somebody else has the domain, the name of its former owner too', async () => {
    const { before, domain } = await createReleased()
    const successor = await steps.linkDomain(await harness.createWallet(), domain, 'lena')
    expect(await steps.invite(successor, 'kai')).toMatchObject({ member: { state: 'invited' } })
    // And what had ended for a while does not come back.
    await removeDomain(harness.deps, successor.caller, { domain, confirm: domain })
    const again = await steps.linkDomain(before, domain, 'mira')
    expect(await steps.invite(again, 'kai')).toMatchObject({ member: { state: 'invited' } })
  })
})
