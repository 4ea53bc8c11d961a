import { verifyJws } from '@atoll/did'
import Fastify from 'fastify'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { silentLog } from '../../../platform/log.ts'
import { addDomain, removeDomain } from '../claims/domain-service.ts'
import { findOwnDomain } from '../records/domain-store.ts'
import { createDomainWorld, type DomainWorld } from '../testing/domain-world.ts'
import { createPapers } from '../testing/wallet-papers.ts'
import { credentialRenewals } from './credential-renewals.ts'
import { Issued, requestCredential, submitPresentation } from './wallet-service.ts'

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

const locale = 'en-US'
const dayMs = 24 * 3_600_000
const renew = () =>
  credentialRenewals(world.deps).run({}, { log: silentLog, signal: new AbortController().signal, attempt: 1 })

test('a credential is issued again 30 days before its end, once by two workers, and never after a removal', async () => {
  const { caller, wallet } = await world.createWallet()
  const domain = 'cloud.renewed.example'
  const { id, txt } = await addDomain(world.deps, caller, { domain, method: 'ns' })
  world.dns.records.add(`TXT ${txt?.value}`).add(`NS ${domain}`)
  await world.reconcile(id)
  const papers = createPapers(wallet, 'https://atoll.test', world.clock.now().getTime())
  const application = papers.application(domain)
  const first = await requestCredential(world.deps, caller, { domain, jws: application, locale })
  const jws = papers.presentation(first.verifiableCredentials)
  await submitPresentation(world.deps, caller, { domain, jws, locale, adminName: 'lena' })
  const kept = async () => {
    const row = await findOwnDomain(world.db, caller.userid, domain)
    return Issued.parse(JSON.parse(row?.full_string ?? '{}'))
  }
  const claims = async ({ verifiableCredentials }: Issued) => (await verifyJws(verifiableCredentials[0] ?? '')).payload

  world.clock.advance(334 * dayMs)
  await renew()
  expect(await kept()).toEqual(first)
  world.clock.advance(2 * dayMs)
  await Promise.all([renew(), renew()])
  const second = await kept()
  const [before, after] = [await claims(first), await claims(second)]
  expect(Number(after['exp'])).toBe(Math.floor(world.clock.now().getTime() / 1000) + 365 * 24 * 3600)
  const subject = { vc: { credentialSubject: { id: wallet.did, domain, owner: '0x00' } }, sub: wallet.did }
  expect(after).toMatchObject(subject)
  expect(after['jti']).not.toBe(before['jti'])
  const all = world.db.selectFrom('credentials').select(['id', 'revoked_at']).where('domain', '=', id)
  expect((await all.execute()).map(({ revoked_at }) => revoked_at)).toEqual([null, null])

  const { application_id: applicationId } = second.credential_response as { application_id: string }
  const answer = await app.inject(`/get_application_response/${applicationId}`)
  expect(answer.json()).toEqual({ code: 0, message: 'success', data: second.credential_response })

  await removeDomain(world.deps, caller, { domain, confirm: domain })
  world.clock.advance(400 * dayMs)
  await renew()
  const rows = await all.execute()
  expect(rows).toHaveLength(2)
  expect(rows.every(({ revoked_at }) => revoked_at !== null)).toBe(true)
})
