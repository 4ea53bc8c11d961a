import { afterAll, beforeAll, expect, test } from 'vitest'
import { addDomain, setRule } from '../claims/domain-service.ts'
import { createDomainWorld, type DomainWorld } from '../testing/domain-world.ts'
import { createPapers } from '../testing/wallet-papers.ts'
import { requestCredential, submitPresentation } from '../wallet/wallet-service.ts'

let world: DomainWorld
beforeAll(async () => {
  world = await createDomainWorld()
})
afterAll(() => world[Symbol.asyncDispose]())

const hourMs = 3_600_000
const events = () => world.mails.map(({ params, locale }) => [params['event'], locale])

test('a delegation that is lost is mailed once after a day, and so is that it is back', async () => {
  const { caller, wallet } = await world.createWallet()
  const domain = 'cloud.lost.example'
  const locale = 'en-US'
  await world.db
    .updateTable('accounts')
    .set({ email: 'lena@gmail.com', locale: 'zh-CN' })
    .where('account_id', '=', caller.userid)
    .execute()
  const { id, txt } = await addDomain(world.deps, caller, { domain, method: 'ns' })
  world.dns.records.add(`TXT ${txt?.value}`).add(`NS ${domain}`)
  await world.reconcile(id)
  const papers = createPapers(wallet, 'https://atoll.test', world.clock.now().getTime())
  const issued = await requestCredential(world.deps, caller, { domain, jws: papers.application(domain), locale })
  const jws = papers.presentation(issued.verifiableCredentials)
  await submitPresentation(world.deps, caller, { domain, jws, locale })
  await setRule(world.deps, caller, { domain, ruleType: 'specified_email_address', ruleData: '' })
  await world.reconcile(id)

  const pass = async (hours: number) => {
    for (let hour = 0; hour < hours; hour += 1) {
      world.clock.advance(hourMs)
      await world.reconcile(id)
    }
  }
  const lose = () => world.dns.records.delete(`NS ${domain}`)
  lose()
  await pass(25)
  world.dns.records.add(`NS ${domain}`)
  await pass(2)
  // Lost for less than a day.
  expect(events()).toEqual([])
  lose()
  await pass(24 + 25)
  expect(events()).toEqual([['delegationLost', 'zh-CN']])
  await pass(30)
  expect(events()).toHaveLength(1)
  expect(world.woken).toEqual([id])
  world.dns.records.add(`NS ${domain}`)
  await pass(2)
  // Certificates that waited go on at once, each time that it is back.
  expect(world.woken).toEqual([id, id])
  expect(events()).toEqual([
    ['delegationLost', 'zh-CN'],
    ['delegationBack', 'zh-CN'],
  ])
})
