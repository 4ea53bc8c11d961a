import { verifyJws } from '@atoll/did'
import type { ScriptedWallet } from '@atoll/testkit'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import type { Caller } from '../../../platform/caller.ts'
import { domainDetailJson } from '../claims/domain-json.ts'
import { addDomain, removeDomain } from '../claims/domain-service.ts'
import { findOwnDomain } from '../records/domain-store.ts'
import { keepMember } from '../records/member-store.ts'
import { createDomainHarness, type DomainHarness } from '../testing/domain-harness.ts'
import { createDocuments } from '../testing/wallet-documents.ts'
import { requestCredential, submitPresentation } from '../wallet/wallet-service.ts'
import { offersJson } from './transfer-json.ts'
import { acceptTransfer, endOffer, offerTransfer, signOffer } from './transfer-service.ts'

let harness: DomainHarness
beforeAll(async () => {
  harness = await createDomainHarness()
})
afterAll(() => harness[Symbol.asyncDispose]())

const locale = 'en-US'
const hourMs = 3_600_000
let serial = 0
interface Person {
  caller: Caller
  wallet: ScriptedWallet
}
const papersOf = ({ wallet }: Person) => createDocuments(wallet, 'https://atoll.test', harness.clock.now().getTime())

/** A domain in use, of `lena`, with the member `mia`. */
async function inUse() {
  serial += 1
  const domain = `cloud.handed${serial}.example`
  const [owner, member] = [await harness.createWallet(), await harness.createWallet()]
  const { id, txt } = await addDomain(harness.deps, owner.caller, { domain, method: 'ns' })
  harness.dns.records.add(`TXT ${txt?.value}`).add(`NS ${domain}`)
  await harness.reconcile(id)
  const documents = papersOf(owner)
  const issued = await requestCredential(harness.deps, owner.caller, {
    domain,
    jws: documents.application(domain),
    locale,
  })
  const jws = documents.presentation(issued.verifiableCredentials)
  await submitPresentation(harness.deps, owner.caller, { domain, jws, locale, adminName: 'lena' })
  await harness.reconcile(id)
  await harness.db.transaction().execute(async (trx) => {
    await harness.deps.names.lock(trx)
    await harness.deps.names.take(trx, { did: member.wallet.did, name: `mia@${domain}` })
    await keepMember(trx, { domain: id, name: 'mia', did: member.wallet.did, at: harness.clock.now() })
  })
  return { domain, number: id, owner, member, credential: issued.verifiableCredentials[0] ?? '' }
}
type Harness = Awaited<ReturnType<typeof inUse>>
const offer = ({ owner, domain }: Harness, to = 'mia') => offerTransfer(harness.deps, owner.caller, { domain, to })
function sign({ owner, member, domain }: Harness, transfer: string, claims: object = {}, by = owner) {
  const jws = by.wallet.sign({
    transfer,
    domain,
    to: member.wallet.kid,
    time: harness.clock.now().getTime(),
    ...claims,
  })
  return signOffer(harness.deps, owner.caller, { domain, jws, locale })
}
const accept = ({ member, domain }: Harness, by = member) =>
  acceptTransfer(harness.deps, by.caller, { domain, jws: papersOf(by).application(domain), locale })
const ownerOf = async ({ number }: Harness) =>
  (await harness.db.selectFrom('domains').select('userid').where('number', '=', number).executeTakeFirst())?.userid
const offersTo = ({ member }: Harness) => offersJson(harness.deps, member.caller.did)
async function isRevoked(credential: string) {
  const { payload } = await verifyJws(credential)
  const row = harness.db.selectFrom('credentials').select('revoked_at').where('id', '=', String(payload['jti']))
  return (await row.executeTakeFirst())?.revoked_at !== null
}
const key = (refused: string) => expect.objectContaining({ key: refused })

describe('a domain in use', () => {
  test('goes to a member when both have signed: one valid credential, theirs; zone and names stay', async () => {
    const one = await inUse()
    const { owner, member, domain, number } = one
    const zone = harness.dns.zones.get(domain)
    const { id, until } = await offer(one, `mia@${domain}`)
    expect(until).toBe(new Date(harness.clock.now().getTime() + 24 * hourMs).toISOString())
    expect((await offer(one)).id).toBe(id)
    expect(await offersTo(one)).toMatchObject([{ id, domain, from: `lena@${domain}`, isSigned: false }])
    await expect(accept(one)).rejects.toEqual(key('transferUnsigned'))
    expect(await sign(one, id)).toMatchObject({ isSigned: true })
    const issued = await accept(one)
    const [credential = ''] = issued.verifiableCredentials
    expect((await verifyJws(credential)).payload).toMatchObject({ sub: member.wallet.did })
    expect([await isRevoked(one.credential), await isRevoked(credential)]).toEqual([true, false])
    // The answer was lost: the same once more.
    expect(await accept(one)).toEqual(issued)

    expect(await findOwnDomain(harness.db, owner.caller.userid, domain)).toBeUndefined()
    const row = await findOwnDomain(harness.db, member.caller.userid, domain)
    if (!row) throw new Error('The domain is nobody’s')
    expect(await domainDetailJson(harness.deps, row)).toMatchObject({
      id: number,
      status: 'ALLOCATED',
      terminusName: `mia@${domain}`,
      transfer: null,
      fullString: JSON.stringify(issued),
    })
    expect(await harness.identity.findNameOfDid(harness.db, owner.caller.did)).toBe(`lena@${domain}`)
    expect(harness.dns.zones.get(domain)).toEqual(zone)
    expect(await offersTo(one)).toEqual([])
  })

  test('stays where it is when the offer is taken back, declined, or a day old', async () => {
    const one = await inUse()
    const first = await offer(one)
    await sign(one, first.id)
    await endOffer(harness.deps, one.owner.caller, one)
    await expect(accept(one)).rejects.toEqual(key('transferNone'))
    const second = await offer(one)
    expect(second.id).not.toBe(first.id)
    await endOffer(harness.deps, one.member.caller, one)
    expect(await offersTo(one)).toEqual([])
    const third = await offer(one)
    await sign(one, third.id)
    harness.clock.advance(24 * hourMs)
    await expect(accept(one)).rejects.toEqual(key('transferNone'))
    await expect(sign(one, third.id)).rejects.toEqual(key('transferNone'))
    expect(await ownerOf(one)).toBe(one.owner.caller.userid)
    expect(await isRevoked(one.credential)).toBe(false)
    expect((await offer(one)).isSigned).toBe(false)
  })

  test('is offered to nobody but a member with an ID, and signed for by its owner alone, as it was shown', async () => {
    const one = await inUse()
    for (const to of ['kai', `mia@other.example`]) await expect(offer(one, to)).rejects.toEqual(key('transferMember'))
    await expect(offer(one, 'lena')).rejects.toEqual(key('transferSelf'))
    const { id } = await offer(one)
    await expect(sign(one, id, {}, one.member)).rejects.toEqual(key('signedByOther'))
    for (const claims of [{ transfer: 'x' }, { domain: 'other.example' }, { to: one.owner.wallet.kid }])
      await expect(sign(one, id, claims)).rejects.toEqual(key('transferDiffers'))
    const ahead = harness.clock.now().getTime() + 31_000
    await expect(sign(one, id, { time: ahead })).rejects.toEqual(key('clockAhead'))
    await sign(one, id)
    const stranger = await harness.createWallet()
    await expect(accept(one, stranger)).rejects.toEqual(key('transferNone'))
    await expect(endOffer(harness.deps, stranger.caller, one)).rejects.toEqual(key('notFound'))
    expect(await ownerOf(one)).toBe(one.owner.caller.userid)
  })

  test('is taken over once by many at once, or removed: never both', async () => {
    const one = await inUse()
    await sign(one, (await offer(one)).id)
    const { owner, domain, number } = one
    const results = await Promise.allSettled([
      accept(one),
      accept(one),
      removeDomain(harness.deps, owner.caller, { domain, confirm: domain }),
    ])
    const [, , removal] = results.map(({ status }) => status === 'fulfilled')
    const row = await harness.db
      .selectFrom('domains')
      .selectAll()
      .where('number', '=', number)
      .executeTakeFirstOrThrow()
    expect(row.released_at !== null).toBe(removal)
    const valid = await harness.db
      .selectFrom('credentials')
      .selectAll()
      .where('domain', '=', number)
      .where('revoked_at', 'is', null)
      .execute()
    expect(valid.map(({ userid }) => userid)).toEqual(removal ? [] : [one.member.caller.userid])
  })
})
