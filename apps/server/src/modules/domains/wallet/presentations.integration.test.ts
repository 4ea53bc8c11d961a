import { requestDomainVC, submitDomainVP } from '@atoll/contract/domains'
import { verifyJws } from '@atoll/did'
import { describe, expect, test } from 'vitest'
import { retireIssuer } from '../../credentials/index.ts'
import { restartDomain } from '../claims/domain-service.ts'
import { forge, origin, useWallets } from '../testing/use-wallets.ts'
import { createDocuments } from '../testing/wallet-documents.ts'

const { harness, delegated, applied, statusOf, apply, present, bitOf } = useWallets()

test('what is read is at most 8192 characters long, and a path is the one that the wire names', async () => {
  const owner = await applied()
  const { documents, domain, credential } = owner
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
        documents.presentation(
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
  await expect(apply(fresh, fresh.documents.application(fresh.domain, { application: wrong }))).rejects.toMatchObject({
    key: 'badParameter',
  })
  expect([await statusOf(owner), await statusOf(fresh)]).toEqual(['WAIT_SUBMIT_VP', 'WAIT_REQUEST_VC'])
})

describe('a presentation', () => {
  test('is denied with its reason for whatever is not a credential of this deployment for this domain', async () => {
    const owner = await applied()
    const second = await applied()
    const { documents, credential, domain } = owner
    const foreign = createDocuments(second.wallet, origin, harness().clock.now().getTime())
    const cases: [string, RegExp][] = [
      [foreign.presentation([credential]), /different identity/],
      // Signed by another for this identity, whose session they have, say.
      [
        foreign.presentation([credential], { sub: owner.wallet.did }, { holder: owner.wallet.did }),
        /different identity/,
      ],
      [documents.presentation([second.credential]), /not issued here to this identity/],
      [documents.presentation([documents.selfIssued({ domain })]), /not issued here/],
      [documents.presentation([credential, credential]), /verifiableCredential/],
      [documents.presentation([credential.replace(/.$/, (last) => (last === 'A' ? 'Q' : 'A'))]), /not issued here/],
      [documents.presentation([credential], { aud: 'https://elsewhere.example' }), /different request \(aud\)/],
      [documents.presentation([credential], {}, { holder: second.wallet.did }), /different identity/],
      [documents.presentation([credential], { exp: 1 }), /expired/],
    ]
    for (const [jws, reason] of cases) {
      const answer = await present(owner, jws)
      expect(answer).toEqual({ status: 'denied', reason: expect.stringMatching(reason) })
    }
    expect(await present(owner, documents.presentation([credential]), 'no@other.example')).toMatchObject({
      status: 'denied',
    })
    expect(await statusOf(owner)).toBe('WAIT_SUBMIT_VP')
    expect(await present(owner, documents.presentation([credential], { aud: `${origin}/` }))).toMatchObject({
      status: 'approved',
    })
  })

  test('is denied with a forged signature, and with a credential of the same owner for another domain', async () => {
    const owner = await applied()
    const other = (await harness().createWallet()).wallet
    for (const [jws] of forge(owner.documents.presentation([owner.credential]), owner, other))
      expect(await present(owner, jws)).toMatchObject({ status: 'denied' })
    for (const [jws] of forge(owner.credential, owner, other))
      expect(await present(owner, owner.documents.presentation([jws]))).toMatchObject({ status: 'denied' })

    const second = await delegated(owner)
    const issued = await apply(second, second.documents.application(second.domain))
    const swapped = await present(owner, owner.documents.presentation(issued.verifiableCredentials))
    expect(swapped).toEqual({ status: 'denied', reason: expect.stringMatching(/not issued here/) })
    expect([await statusOf(owner), await statusOf(second)]).toEqual(['WAIT_SUBMIT_VP', 'WAIT_SUBMIT_VP'])
  })

  test('with a nonce that was taken is denied', async () => {
    const owner = await applied()
    const nonce = 'the same nonce'
    expect(await present(owner, owner.documents.presentation([owner.credential], { nonce }))).toMatchObject({
      status: 'approved',
    })
    expect(await present(owner, owner.documents.presentation([owner.credential], { nonce }))).toMatchObject({
      status: 'denied',
      reason: expect.stringContaining('was used before'),
    })
  })

  test('of a credential that was revoked by starting over, or is too old, is denied', async () => {
    const owner = await applied()
    expect(await bitOf(owner.credential)).toBe(false)
    const old = await applied()
    harness().clock.advance(366 * 24 * 60 * 60_000)
    const now = harness().clock.now().getTime()
    const late = createDocuments(old.wallet, origin, now).presentation([old.credential])
    expect(await present(old, late)).toMatchObject({ reason: expect.stringContaining('has expired') })
    await restartDomain(harness().deps, owner.caller, owner.domain)
    expect(await bitOf(owner.credential)).toBe(true)
    const jws = createDocuments(owner.wallet, origin, now).presentation([owner.credential])
    expect(await present(owner, jws)).toMatchObject({ reason: expect.stringContaining('was revoked') })
  })

  test('of a credential that a retired key signed is taken', async () => {
    const owner = await applied()
    const { did: retired } = await verifyJws(owner.credential)
    expect(await retireIssuer(harness().db, harness().clock.now())).toBe(retired)
    const next = await applied()
    const [before, after] = await Promise.all([owner, next].map(({ credential }) => verifyJws(credential)))
    expect(before?.did).not.toBe(after?.did)
    expect(await present(owner, owner.documents.presentation([owner.credential]))).toMatchObject({ status: 'approved' })
    // Each signs the list of its own.
    await restartDomain(harness().deps, owner.caller, owner.domain)
    expect([await bitOf(owner.credential), await bitOf(next.credential)]).toEqual([true, false])
  })
})
