import { verifyJws } from '@atoll/did'
import Fastify from 'fastify'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { silentLog } from '../../../platform/log.ts'
import { addDomain, removeDomain } from '../claims/domain-service.ts'
import { findOwnDomain } from '../records/domain-store.ts'
import { createDomainHarness, type DomainHarness } from '../testing/domain-harness.ts'
import { createDocuments } from '../testing/wallet-documents.ts'
import { credentialRenewals } from './credential-renewals.ts'
import { Issued, requestCredential, submitPresentation } from './wallet-service.ts'

let harness: DomainHarness
const app = Fastify()
beforeAll(async () => {
  harness = await createDomainHarness()
  await app.register(harness.credentials.plugin)
})
afterAll(async () => {
  await app.close()
  await harness[Symbol.asyncDispose]()
})

const locale = 'en-US'
const dayMs = 24 * 3_600_000
const renew = () =>
  credentialRenewals(harness.deps).run({}, { log: silentLog, signal: new AbortController().signal, attempt: 1 })

test('a credential is issued again 30 days before its end, once by two workers, and never after a removal', async () => {
  const { caller, wallet } = await harness.createWallet()
  const domain = 'cloud.renewed.example'
  const { id, txt } = await addDomain(harness.deps, caller, { domain, method: 'ns' })
  harness.dns.records.add(`TXT ${txt?.value}`).add(`NS ${domain}`)
  await harness.reconcile(id)
  const documents = createDocuments(wallet, 'https://atoll.test', harness.clock.now().getTime())
  const application = documents.application(domain)
  const first = await requestCredential(harness.deps, caller, { domain, jws: application, locale })
  const jws = documents.presentation(first.verifiableCredentials)
  await submitPresentation(harness.deps, caller, { domain, jws, locale, adminName: 'lena' })
  const kept = async () => {
    const row = await findOwnDomain(harness.db, caller.userid, domain)
    return Issued.parse(JSON.parse(row?.full_string ?? '{}'))
  }
  const claims = async ({ verifiableCredentials }: Issued) => (await verifyJws(verifiableCredentials[0] ?? '')).payload

  harness.clock.advance(334 * dayMs)
  await renew()
  expect(await kept()).toEqual(first)
  harness.clock.advance(2 * dayMs)
  await Promise.all([renew(), renew()])
  const second = await kept()
  const [before, after] = [await claims(first), await claims(second)]
  expect(Number(after['exp'])).toBe(Math.floor(harness.clock.now().getTime() / 1000) + 365 * 24 * 3600)
  const subject = { vc: { credentialSubject: { id: wallet.did, domain, owner: '0x00' } }, sub: wallet.did }
  expect(after).toMatchObject(subject)
  expect(after['jti']).not.toBe(before['jti'])
  const all = harness.db.selectFrom('credentials').select(['id', 'revoked_at']).where('domain', '=', id)
  expect((await all.execute()).map(({ revoked_at }) => revoked_at)).toEqual([null, null])

  const { application_id: applicationId } = second.credential_response as { application_id: string }
  const answer = await app.inject(`/get_application_response/${applicationId}`)
  expect(answer.json()).toEqual({ code: 0, message: 'success', data: second.credential_response })

  await removeDomain(harness.deps, caller, { domain, confirm: domain })
  harness.clock.advance(400 * dayMs)
  await renew()
  const rows = await all.execute()
  expect(rows).toHaveLength(2)
  expect(rows.every(({ revoked_at }) => revoked_at !== null)).toBe(true)
})
