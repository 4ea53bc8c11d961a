import { gunzipSync } from 'node:zlib'
import { requestDomainVC, submitDomainVP } from '@atoll/contract/domains'
import { verifyJws } from '@atoll/did'
import type { ScriptedWallet } from '@atoll/testkit'
import Fastify from 'fastify'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import type { Caller } from '../../platform/caller.ts'
import { addDomain, checkDomain, removeDomain, restartDomain, setRule } from './domain-service.ts'
import { releaseDomain } from './lifecycle/end-claim.ts'
import { findOwnDomain } from './store/domain-store.ts'
import { createDomainWorld, type DomainWorld } from './testing/domain-world.ts'
import { createPapers } from './testing/wallet-papers.ts'
import { requestCredential, submitPresentation } from './wallet-service.ts'

let world: DomainWorld
const app = Fastify()
beforeAll(async () => {
  world = await createDomainWorld()
  await app.register(world.credentials.plugin)
})
afterAll(async () => {
  await app.close()
  await world[Symbol.asyncDispose]()
})

const origin = 'https://atoll.test'
const locale = 'en-US'
let serial = 0

interface Owner {
  caller: Caller
  wallet: ScriptedWallet
  domain: string
  number: number
  papers: ReturnType<typeof createPapers>
}

/** A domain that points here, and the wallet of its owner, a new one unless told. */
async function delegated(of?: Pick<Owner, 'caller' | 'wallet'>): Promise<Owner> {
  const { caller, wallet } = of ?? (await world.createWallet())
  serial += 1
  const domain = `cloud.wallet${serial}.example`
  const added = await addDomain(world.deps, caller, { domain, method: 'ns' })
  world.dns.records.add(`TXT ${added.txt?.value}`).add(`NS ${domain}`)
  await world.reconcile(added.id)
  const papers = createPapers(wallet, origin, world.clock.now().getTime())
  return { caller, wallet, domain, number: added.id, papers }
}
const statusOf = async ({ caller, domain }: Owner) => (await findOwnDomain(world.db, caller.userid, domain))?.status
const apply = ({ caller, domain }: Owner, jws: string) => requestCredential(world.deps, caller, { domain, jws, locale })
const present = ({ caller, domain }: Owner, jws: string, adminName?: string) =>
  submitPresentation(world.deps, caller, { domain, jws, locale, adminName })
async function applied(): Promise<Owner & { credential: string }> {
  const owner = await delegated()
  const { verifiableCredentials } = await apply(owner, owner.papers.application(owner.domain))
  return { ...owner, credential: verifiableCredentials[0] ?? '' }
}
/** The same payload, signed by `wallet` under another header. */
const signAgain = (jws: string, wallet: ScriptedWallet, header: object) =>
  wallet.sign(JSON.parse(Buffer.from(jws.split('.')[1] ?? '', 'base64url').toString()), header)
/** What is no signature of whom it says it is by. */
function forge(jws: string, { wallet }: Owner, other: ScriptedWallet): [string, string][] {
  const by = { kid: wallet.kid, iss: wallet.did }
  const none = signAgain(jws, wallet, { ...by, alg: 'none' })
  return [
    [signAgain(jws, other, by), 'jwsSignature'],
    [none, 'jwsAlgorithm'],
    [none.slice(0, none.lastIndexOf('.') + 1), 'jwsAlgorithm'],
    [signAgain(jws, wallet, { ...by, alg: 'HS256' }), 'jwsAlgorithm'],
    [`${jws.slice(0, jws.lastIndexOf('.'))}.AAAA`, 'jwsSignature'],
  ]
}
async function bitOf(credential: string): Promise<boolean> {
  const { payload } = await verifyJws(credential)
  const vc = payload['vc'] as { credentialStatus: { statusListCredential: string; statusListIndex: string } }
  const { statusListCredential, statusListIndex } = vc.credentialStatus
  const answer = await app.inject(statusListCredential.slice(origin.length))
  const list = await verifyJws(answer.body)
  const subject = list.payload['credentialSubject'] as { encodedList: string }
  const bytes = gunzipSync(Buffer.from(subject.encodedList.slice(1), 'base64url'))
  expect([list.header.typ, bytes.length]).toEqual(['vc+jwt', 16_384])
  const index = Number(statusListIndex)
  return ((bytes[index >> 3] ?? 0) & (0x80 >> (index & 7))) !== 0
}

describe('a wallet', () => {
  test('applies, presents, and takes the first name: the domain is in use', async () => {
    const owner = await delegated()
    const { caller, wallet, domain } = owner
    const issued = await apply(owner, owner.papers.application(domain))
    const { did, payload } = await verifyJws(issued.verifiableCredentials[0] ?? '')
    expect(payload).toMatchObject({
      iss: did,
      sub: wallet.did,
      jti: expect.stringMatching(/^urn:uuid:/),
      vc: { credentialSubject: { id: wallet.did, did: wallet.did, domain, cloudid: wallet.did, owner: '0x00' } },
    })
    expect(await verifyJws(issued.responseJwt)).toMatchObject({ did })
    expect(await apply(owner, owner.papers.application(domain))).toEqual(issued)
    const jws = owner.papers.presentation(issued.verifiableCredentials)
    const approved = { status: 'approved', reason: '' }
    expect(await present(owner, jws)).toEqual(approved)
    expect(await present(owner, jws)).toEqual(approved)
    expect(await statusOf(owner)).toBe('WAIT_RULE_SET')
    await setRule(world.deps, caller, { domain, ruleType: 'specified_email_address', ruleData: '' })
    await world.reconcile(owner.number)
    expect(await statusOf(owner)).toBe('BIND')
    await world.db.transaction().execute(async (trx) => {
      await world.identity.lockNames(trx)
      expect(await world.deps.names.take(trx, { did: wallet.did, name: `lena@${domain}` })).toBeUndefined()
    })
    expect(await world.identity.findNameOf(world.db, wallet.did)).toBe(`lena@${domain}`)
  })

  test('applies and presents in one go with its name, and nobody else may join uninvited', async () => {
    const owner = await applied()
    const answer = await present(owner, owner.papers.presentation([owner.credential]), 'lena')
    expect(answer).toEqual({ status: 'approved', reason: '', adminOlaresId: `lena@${owner.domain}` })
    await world.reconcile(owner.number)
    expect(await findOwnDomain(world.db, owner.caller.userid, owner.domain)).toMatchObject({
      status: 'ALLOCATED',
      rule_type: 'specified_email_address',
    })
    const wish = { domain: owner.domain, confirm: owner.domain }
    await removeDomain(world.deps, owner.caller, wish)
    expect(await world.identity.findNameOf(world.db, owner.wallet.did)).toBeNull()
    expect(await bitOf(owner.credential)).toBe(true)
  })

  test('loses a domain that the operator releases, with its name, which is kept for it', async () => {
    const owner = await applied()
    await present(owner, owner.papers.presentation([owner.credential]), 'lena')
    expect(await releaseDomain(world.deps, owner.domain)).toBe(owner.wallet.did)
    expect(await releaseDomain(world.deps, owner.domain)).toBeUndefined()
    expect(world.dns.zones.has(owner.domain)).toBe(false)
    expect(await world.identity.findNameOf(world.db, owner.wallet.did)).toBeNull()
    const take = (did: string) =>
      world.db.transaction().execute((trx) => world.deps.names.take(trx, { did, name: `lena@${owner.domain}` }))
    const { wallet: other } = await world.createWallet()
    await expect(take(other.did)).rejects.toMatchObject({ key: 'nameKept' })
    await take(owner.wallet.did)
  })

  test('applying twice at once gets one credential', async () => {
    const owner = await delegated()
    const answers = await Promise.all([1, 2, 3].map(() => apply(owner, owner.papers.application(owner.domain))))
    expect(new Set(answers.map(({ verifiableCredentials }) => verifiableCredentials[0])).size).toBe(1)
    const rows = await world.db.selectFrom('credentials').select('id').where('domain', '=', owner.number).execute()
    expect(rows).toHaveLength(1)
  })

  test('presents when the domain does not wait for it: a reason, and nothing happens', async () => {
    const owner = await applied()
    await removeDomain(world.deps, owner.caller, { domain: owner.domain })
    await expect(present(owner, owner.papers.presentation([owner.credential]))).rejects.toMatchObject({
      key: 'notFound',
    })
    const early = await delegated()
    await expect(addDomain(world.deps, early.caller, { domain: early.domain })).resolves.toMatchObject({
      status: 'WAIT_REQUEST_VC',
    })
    await expect(checkDomain(world.deps, early.caller, early.domain)).rejects.toMatchObject({ key: 'domainNotNow' })
  })
})

describe('an application', () => {
  test('is refused for whatever is not this account’s for this domain', async () => {
    const owner = await delegated()
    const other = (await world.createWallet()).wallet
    const { papers, domain } = owner
    const foreign = createPapers(other, origin, world.clock.now().getTime())
    const submission = { presentation_submission: { id: 'psid', definition_id: 'x', descriptor_map: [] } }
    const cases: [string, string][] = [
      [foreign.application(domain), 'signedByOther'],
      [papers.application(domain, { inner: [foreign.selfIssued({ domain })] }), 'signedByOther'],
      [papers.application(domain, { inner: [] }), 'badParameter'],
      [
        papers.application(domain, { inner: [papers.selfIssued({ domain }), papers.selfIssued({ domain })] }),
        'badParameter',
      ],
      [papers.application(domain, { application: { manifest_id: 'other' } }), 'applicationForeign'],
      [papers.application(domain, { application: submission }), 'badParameter'],
      [papers.application(domain, { application: { applicant: other.did } }), 'applicationDiffers'],
      [papers.application('other.example'), 'applicationDiffers'],
      [papers.application(domain, { subject: { did: other.did } }), 'applicationDiffers'],
      [papers.application(domain, { subject: { cloudid: other.did } }), 'applicationDiffers'],
      [papers.application(domain, { inner: [papers.selfIssued({ domain }, { exp: 1 })] }), 'jwsExpired'],
    ]
    for (const [jws, key] of cases) await expect(apply(owner, jws)).rejects.toMatchObject({ key })
    expect(await statusOf(owner)).toBe('WAIT_REQUEST_VC')
  })

  test('is refused with a forged signature, outside or inside', async () => {
    const owner = await delegated()
    const { papers, domain } = owner
    const other = (await world.createWallet()).wallet
    const inner = forge(papers.selfIssued({ domain }), owner, other)
    const cases = [
      ...forge(papers.application(domain), owner, other),
      ...inner.map(([jws, key]): [string, string] => [papers.application(domain, { inner: [jws] }), key]),
    ]
    for (const [jws, key] of cases) await expect(apply(owner, jws)).rejects.toMatchObject({ key })
    expect(await statusOf(owner)).toBe('WAIT_REQUEST_VC')
  })
})

test('what is read is at most 8192 characters long, and a path is the one that the wire names', async () => {
  const owner = await applied()
  const { papers, domain, credential } = owner
  const long = `${'a'.repeat(8000)}.b.`
  for (const { body } of [requestDomainVC, submitDomainVP]) {
    expect(body.safeParse({ domain, jws: long.padEnd(8192, 'c') }).success).toBe(true)
    const refused = body.safeParse({ domain, jws: long.padEnd(8193, 'c') })
    expect(refused.error?.issues.map(({ path }) => path)).toEqual([['jws']])
  }
  const descriptor = { id: 'domain-credential', format: 'jwt_vc' }
  for (const path of ['$.verifiableCredential', '$.verifiableCredential[1]', '$..verifiableCredential[0]', '$'])
    expect(
      await present(
        owner,
        papers.presentation(
          [credential],
          {},
          {
            presentation_submission: {
              id: 'x',
              definition_id: 'domain-presentation-definition',
              descriptor_map: [{ ...descriptor, path }],
            },
          },
        ),
      ),
    ).toEqual({ status: 'denied', reason: expect.stringContaining('path') })
  const fresh = await delegated()
  const wrong = {
    presentation_submission: {
      id: 'psid',
      definition_id: 'domain-application-definition',
      descriptor_map: [{ id: 'domain-application', format: 'jwt_vc', path: '$.verifiableCredential[0]' }],
    },
  }
  await expect(apply(fresh, fresh.papers.application(fresh.domain, { application: wrong }))).rejects.toMatchObject({
    key: 'badParameter',
  })
  expect([await statusOf(owner), await statusOf(fresh)]).toEqual(['WAIT_SUBMIT_VP', 'WAIT_REQUEST_VC'])
})

describe('a presentation', () => {
  test('is denied with its reason for whatever is not a credential of ours for this domain', async () => {
    const owner = await applied()
    const second = await applied()
    const { papers, credential, domain } = owner
    const foreign = createPapers(second.wallet, origin, world.clock.now().getTime())
    const cases: [string, RegExp][] = [
      [foreign.presentation([credential]), /another identity/],
      [papers.presentation([second.credential]), /not issued here to this identity/],
      [papers.presentation([papers.selfIssued({ domain })]), /not issued here/],
      [papers.presentation([credential, credential]), /verifiableCredential/],
      [papers.presentation([credential.replace(/.$/, (last) => (last === 'A' ? 'Q' : 'A'))]), /not issued here/],
      [papers.presentation([credential], { aud: 'https://elsewhere.example' }), /another request \(aud\)/],
      [papers.presentation([credential], {}, { holder: second.wallet.did }), /another identity/],
      [papers.presentation([credential], { exp: 1 }), /expired/],
    ]
    for (const [jws, reason] of cases) {
      const answer = await present(owner, jws)
      expect(answer).toEqual({ status: 'denied', reason: expect.stringMatching(reason) })
    }
    expect(await present(owner, papers.presentation([credential]), 'no@other.example')).toMatchObject({
      status: 'denied',
    })
    expect(await statusOf(owner)).toBe('WAIT_SUBMIT_VP')
    expect(await present(owner, papers.presentation([credential], { aud: `${origin}/` }))).toMatchObject({
      status: 'approved',
    })
  })

  test('is denied with a forged signature, and with a credential of the same owner for another domain', async () => {
    const owner = await applied()
    const other = (await world.createWallet()).wallet
    for (const [jws] of forge(owner.papers.presentation([owner.credential]), owner, other))
      expect(await present(owner, jws)).toMatchObject({ status: 'denied' })
    for (const [jws] of forge(owner.credential, owner, other))
      expect(await present(owner, owner.papers.presentation([jws]))).toMatchObject({ status: 'denied' })

    const second = await delegated(owner)
    const issued = await apply(second, second.papers.application(second.domain))
    const swapped = await present(owner, owner.papers.presentation(issued.verifiableCredentials))
    expect(swapped).toEqual({ status: 'denied', reason: expect.stringMatching(/not issued here/) })
    expect([await statusOf(owner), await statusOf(second)]).toEqual(['WAIT_SUBMIT_VP', 'WAIT_SUBMIT_VP'])
  })

  test('with a nonce that was taken is denied', async () => {
    const owner = await applied()
    const nonce = 'the same nonce'
    expect(await present(owner, owner.papers.presentation([owner.credential], { nonce }))).toMatchObject({
      status: 'approved',
    })
    expect(await present(owner, owner.papers.presentation([owner.credential], { nonce }))).toMatchObject({
      status: 'denied',
      reason: expect.stringContaining('presented before'),
    })
  })

  test('of a credential that was revoked by starting over, or is too old, is denied', async () => {
    const owner = await applied()
    expect(await bitOf(owner.credential)).toBe(false)
    const old = await applied()
    world.clock.advance(366 * 24 * 60 * 60_000)
    const now = world.clock.now().getTime()
    const late = createPapers(old.wallet, origin, now).presentation([old.credential])
    expect(await present(old, late)).toMatchObject({ reason: expect.stringContaining('has expired') })
    await restartDomain(world.deps, owner.caller, owner.domain)
    expect(await bitOf(owner.credential)).toBe(true)
    const jws = createPapers(owner.wallet, origin, now).presentation([owner.credential])
    expect(await present(owner, jws)).toMatchObject({ reason: expect.stringContaining('was revoked') })
  })

  test('of a credential that a retired key signed is taken', async () => {
    const owner = await applied()
    await world.db.updateTable('issuer_keys').set({ retired_at: world.clock.now() }).execute()
    const next = await applied()
    const [before, after] = await Promise.all([owner, next].map(({ credential }) => verifyJws(credential)))
    expect(before?.did).not.toBe(after?.did)
    expect(await present(owner, owner.papers.presentation([owner.credential]))).toMatchObject({ status: 'approved' })
  })
})

test('the service tells what it asks for', async () => {
  const data = async (path: string) => (await app.inject(path)).json()
  expect(await data('/get_application_schema/Domain')).toMatchObject({
    code: 0,
    data: {
      manifest: {
        id: 'domain-manifest',
        presentation_definition: {
          id: 'domain-application-definition',
          input_descriptors: [{ id: 'domain-application' }],
        },
      },
      application_verifiable_credential: { id: `${origin}/schemas/domain-application` },
    },
  })
  expect(await data('/get_presentation_definition/Domain')).toMatchObject({
    data: { id: 'domain-presentation-definition', input_descriptors: [{ id: 'domain-credential' }] },
  })
  expect(await data('/schemas/domain-credential')).toMatchObject({ $id: `${origin}/schemas/domain-credential` })
})
