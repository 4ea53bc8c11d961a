import { verifyJws } from '@atoll/did'
import { describe, expect, test } from 'vitest'
import { addDomain, checkDomain, removeDomain, setRule } from '../claims/domain-service.ts'
import { releaseDomain } from '../lifecycle/end-claim.ts'
import { findOwnDomain } from '../records/domain-store.ts'
import { forge, origin, useWallets } from '../testing/use-wallets.ts'
import { createDocuments } from '../testing/wallet-documents.ts'

const { harness, app, delegated, applied, statusOf, apply, present, bitOf } = useWallets()

describe('a wallet', () => {
  test('applies, presents, and takes the first name: the domain is in use', async () => {
    const owner = await delegated()
    const { caller, wallet, domain } = owner
    const issued = await apply(owner, owner.documents.application(domain))
    const { did, payload } = await verifyJws(issued.verifiableCredentials[0] ?? '')
    expect(payload).toMatchObject({
      iss: did,
      sub: wallet.did,
      jti: expect.stringMatching(/^urn:uuid:/),
      vc: { credentialSubject: { id: wallet.did, did: wallet.did, domain, cloudid: wallet.did, owner: '0x00' } },
    })
    expect(await verifyJws(issued.responseJwt)).toMatchObject({ did })
    expect(await apply(owner, owner.documents.application(domain))).toEqual(issued)
    const jws = owner.documents.presentation(issued.verifiableCredentials)
    const approved = { status: 'approved', reason: '' }
    expect(await present(owner, jws)).toEqual(approved)
    expect(await present(owner, jws)).toEqual(approved)
    expect(await statusOf(owner)).toBe('WAIT_RULE_SET')
    await setRule(harness().deps, caller, { domain, ruleType: 'specified_email_address', ruleData: '' })
    await harness().reconcile(owner.number)
    expect(await statusOf(owner)).toBe('BIND')
    await harness()
      .db.transaction()
      .execute(async (trx) => {
        await harness().identity.lockNames(trx)
        expect(await harness().deps.names.take(trx, { did: wallet.did, name: `lena@${domain}` })).toBeUndefined()
      })
    expect(await harness().identity.findNameOfDid(harness().db, wallet.did)).toBe(`lena@${domain}`)
  })

  test('applies and presents in one go with its name, and nobody else may join uninvited', async () => {
    const owner = await applied()
    const answer = await present(owner, owner.documents.presentation([owner.credential]), 'lena')
    expect(answer).toEqual({ status: 'approved', reason: '', adminOlaresId: `lena@${owner.domain}` })
    await harness().reconcile(owner.number)
    expect(await findOwnDomain(harness().db, owner.caller.userid, owner.domain)).toMatchObject({
      status: 'ALLOCATED',
      rule_type: 'specified_email_address',
    })
    const request = { domain: owner.domain, confirm: owner.domain }
    await removeDomain(harness().deps, owner.caller, request)
    expect(await harness().identity.findNameOfDid(harness().db, owner.wallet.did)).toBeNull()
    expect(await bitOf(owner.credential)).toBe(true)
  })

  test('loses a domain that the operator releases, with its name, which is kept for it', async () => {
    const owner = await applied()
    await present(owner, owner.documents.presentation([owner.credential]), 'lena')
    expect(await releaseDomain(harness().deps, owner.domain)).toBe(owner.wallet.did)
    expect(await releaseDomain(harness().deps, owner.domain)).toBeUndefined()
    expect(harness().dns.zones.has(owner.domain)).toBe(false)
    expect(await harness().identity.findNameOfDid(harness().db, owner.wallet.did)).toBeNull()
    const take = (did: string) =>
      harness()
        .db.transaction()
        .execute((trx) => harness().deps.names.take(trx, { did, name: `lena@${owner.domain}` }))
    const { wallet: other } = await harness().createWallet()
    await expect(take(other.did)).rejects.toMatchObject({ key: 'nameKept' })
    await take(owner.wallet.did)
  })

  test('applying twice at once gets one credential', async () => {
    const owner = await delegated()
    const answers = await Promise.all([1, 2, 3].map(() => apply(owner, owner.documents.application(owner.domain))))
    expect(new Set(answers.map(({ verifiableCredentials }) => verifiableCredentials[0])).size).toBe(1)
    const rows = await harness().db.selectFrom('credentials').select('id').where('domain', '=', owner.number).execute()
    expect(rows).toHaveLength(1)
  })

  test('presenting while the domain is removed ends in a removal, whichever comes first', async () => {
    for (let round = 0; round < 12; round += 1) {
      const owner = await applied()
      const { caller, domain, number } = owner
      const jws = owner.documents.presentation([owner.credential])
      const both = [
        () => present(owner, jws, 'lena'),
        () => removeDomain(harness().deps, caller, { domain, confirm: domain }),
      ]
      const [first, second] = round % 2 === 0 ? both : both.toReversed()
      const ends = await Promise.allSettled([first?.(), second?.()])
      for (const end of ends)
        if (end.status === 'rejected')
          expect(end.reason).toMatchObject({ key: expect.stringMatching(/^(notFound|domainNotNow)$/) })
      await harness().reconcile(number)
      expect(await statusOf(owner)).toBeUndefined()
      expect(await harness().identity.findNameOfDid(harness().db, owner.wallet.did)).toBeNull()
      expect(await bitOf(owner.credential)).toBe(true)
      expect(harness().dns.zones.has(domain)).toBe(false)
    }
  })

  test.each([-60, 60])('whose clock is %d s off is told so, or it does no harm', async (seconds) => {
    const owner = await delegated()
    const documents = createDocuments(owner.wallet, origin, harness().clock.now().getTime() + seconds * 1000)
    // LarePass dates what it signs 10 s back; half a minute is forgiven.
    const application = apply(owner, documents.application(owner.domain))
    if (seconds > 0) {
      await expect(application).rejects.toMatchObject({ key: 'clockAhead' })
      expect(await statusOf(owner)).toBe('WAIT_REQUEST_VC')
    } else {
      const { verifiableCredentials } = await application
      expect(await present(owner, documents.presentation(verifiableCredentials))).toMatchObject({ status: 'approved' })
    }
  })

  test('presents when the domain does not wait for it: a reason, and nothing happens', async () => {
    const owner = await applied()
    await removeDomain(harness().deps, owner.caller, { domain: owner.domain })
    await expect(present(owner, owner.documents.presentation([owner.credential]))).rejects.toMatchObject({
      key: 'notFound',
    })
    const early = await delegated()
    await expect(addDomain(harness().deps, early.caller, { domain: early.domain })).resolves.toMatchObject({
      status: 'WAIT_REQUEST_VC',
    })
    await expect(checkDomain(harness().deps, early.caller, early.domain)).rejects.toMatchObject({ key: 'domainNotNow' })
  })
})

describe('an application', () => {
  test('is refused for whatever is not this account’s for this domain', async () => {
    const owner = await delegated()
    const other = (await harness().createWallet()).wallet
    const { documents, domain } = owner
    const foreign = createDocuments(other, origin, harness().clock.now().getTime())
    const submission = { presentation_submission: { id: 'psid', definition_id: 'x', descriptor_map: [] } }
    const cases: [string, string][] = [
      [foreign.application(domain), 'signedByOther'],
      [documents.application(domain, { inner: [foreign.selfIssued({ domain })] }), 'signedByOther'],
      [documents.application(domain, { inner: [] }), 'badParameter'],
      [
        documents.application(domain, { inner: [documents.selfIssued({ domain }), documents.selfIssued({ domain })] }),
        'badParameter',
      ],
      [documents.application(domain, { application: { manifest_id: 'other' } }), 'applicationForeign'],
      [documents.application(domain, { application: submission }), 'badParameter'],
      [documents.application(domain, { application: { applicant: other.did } }), 'applicationDiffers'],
      [documents.application('other.example'), 'applicationDiffers'],
      [documents.application(domain, { subject: { did: other.did } }), 'applicationDiffers'],
      [documents.application(domain, { subject: { cloudid: other.did } }), 'applicationDiffers'],
      [documents.application(domain, { inner: [documents.selfIssued({ domain }, { exp: 1 })] }), 'jwsExpired'],
    ]
    for (const [jws, key] of cases) await expect(apply(owner, jws)).rejects.toMatchObject({ key })
    expect(await statusOf(owner)).toBe('WAIT_REQUEST_VC')
  })

  test('is refused with a forged signature, outside or inside', async () => {
    const owner = await delegated()
    const { documents, domain } = owner
    const other = (await harness().createWallet()).wallet
    const inner = forge(documents.selfIssued({ domain }), owner, other)
    const cases = [
      ...forge(documents.application(domain), owner, other),
      ...inner.map(([jws, key]): [string, string] => [documents.application(domain, { inner: [jws] }), key]),
    ]
    for (const [jws, key] of cases) await expect(apply(owner, jws)).rejects.toMatchObject({ key })
    expect(await statusOf(owner)).toBe('WAIT_REQUEST_VC')
  })
})

test('the service describes what it asks for', async () => {
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
  for (const path of [
    '/schemas/none',
    '/get_application_response/none',
    '/credentials/status/77',
    '/credentials/status/x',
  ])
    expect((await app.inject(path)).statusCode).toBe(404)
})
