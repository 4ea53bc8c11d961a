import { afterAll, beforeAll, expect, test } from 'vitest'
import { addDomain, setRule } from '../claims/domain-service.ts'
import { createDomainHarness, type DomainHarness } from '../testing/domain-harness.ts'
import { createDocuments } from '../testing/wallet-documents.ts'
import { requestCredential, submitPresentation } from '../wallet/wallet-service.ts'

let harness: DomainHarness
beforeAll(async () => {
  harness = await createDomainHarness()
})
afterAll(() => harness[Symbol.asyncDispose]())

const hourMs = 3_600_000
const events = () => harness.mails.map(({ params, locale }) => [params['event'], locale])

test('a delegation that is lost is mailed once after a day, and so is that it is back', async () => {
  const { caller, wallet } = await harness.createWallet()
  const domain = 'cloud.lost.example'
  const locale = 'en-US'
  await harness.db
    .updateTable('accounts')
    .set({ email: 'lena@gmail.com', locale: 'zh-CN' })
    .where('account_id', '=', caller.userid)
    .execute()
  const { id, txt } = await addDomain(harness.deps, caller, { domain, method: 'ns' })
  harness.dns.records.add(`TXT ${txt?.value}`).add(`NS ${domain}`)
  await harness.reconcile(id)
  const documents = createDocuments(wallet, 'https://atoll.test', harness.clock.now().getTime())
  const issued = await requestCredential(harness.deps, caller, { domain, jws: documents.application(domain), locale })
  const jws = documents.presentation(issued.verifiableCredentials)
  await submitPresentation(harness.deps, caller, { domain, jws, locale })
  await setRule(harness.deps, caller, { domain, ruleType: 'specified_email_address', ruleData: '' })
  await harness.reconcile(id)

  const pass = async (hours: number) => {
    for (let hour = 0; hour < hours; hour += 1) {
      harness.clock.advance(hourMs)
      await harness.reconcile(id)
    }
  }
  const lose = () => harness.dns.records.delete(`NS ${domain}`)
  lose()
  await pass(25)
  harness.dns.records.add(`NS ${domain}`)
  await pass(2)
  // Lost for less than a day.
  expect(events()).toEqual([])
  lose()
  await pass(24 + 25)
  expect(events()).toEqual([['delegationLost', 'zh-CN']])
  await pass(30)
  expect(events()).toHaveLength(1)
  expect(harness.woken).toEqual([id])
  harness.dns.records.add(`NS ${domain}`)
  await pass(2)
  // Certificates that waited go on at once, each time that it is back.
  expect(harness.woken).toEqual([id, id])
  expect(events()).toEqual([
    ['delegationLost', 'zh-CN'],
    ['delegationBack', 'zh-CN'],
  ])
})
