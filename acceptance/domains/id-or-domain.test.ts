/** An identity either binds an ID or links a domain of its own: both are offered before one of them is chosen. */
import type { User } from '@atoll/contract/accounts'
import { resourceInitNew } from '@atoll/contract/clusters'
import { domainList } from '@atoll/contract/domains'
import { expect, it } from 'vitest'
import { findBarriers } from '../stack/accessibility.ts'
import { sampleAnswers } from '../stack/samples/sample-account.ts'
import { findCutLabels } from '../stack/screens/cut-labels.ts'
import { shareConsole } from '../stack/shared-console.ts'

const { server, openTab } = shareConsole()
const phone = { width: 390, height: 844 }
/** The narrowest there is (320 px). */
const small = { width: 320, height: 640 }

it.each([
  ['without clusters, at a desk', [] as [], {}],
  ['with clusters, on a phone', undefined, { viewport: phone, locale: 'zh-CN' as const }],
  ['without clusters, on a small phone', [] as [], { viewport: small }],
  ['with clusters, on a small phone', undefined, { viewport: small }],
])('home of an account without an ID, %s, leads to a domain of its own', async (_name, clusters, options) => {
  server.answers = sampleAnswers(clusters)
  const init = server.answers.get(resourceInitNew) as { user: User } // the sample's
  server.answers.set(resourceInitNew, { ...init, user: { ...init.user, terminusName: '' } })
  const { page, app } = await openTab(options, '/')
  await page.getByText(app.t('refused.oneOrOther'), { exact: true }).waitFor()
  expect(await findBarriers(page)).toEqual([])
  expect(await findCutLabels(page)).toEqual([])
  await app.link(app.t('refused.ownDomain')).click()
  await app.heading(app.t('domains.title')).waitFor()
})

it.each([true, false])(
  'an account with an ID is led to a new identity of the wallet, its list empty: %s',
  async (empty) => {
    const refused = 'The current DID cannot be linked to a new domain'
    const list = server.answers.get(domainList) as object // the sample's
    server.answers.set(domainList, { ...list, refused, ...(empty && { domains: [], offers: [] }) })
    const { page, app } = await openTab(empty ? { viewport: phone } : {}, '/domains')
    const wallet = { wallet: 'LarePass' }
    await page.getByText(refused, { exact: true }).waitFor()
    await page.getByText(app.t('domains.namedText', wallet), { exact: true }).waitFor()
    const leads = await app.link(app.t('domains.toNewIdentity', wallet)).getAttribute('href')
    expect(leads).toBe(`${server.url}/wallet/new`)
    expect(await findBarriers(page)).toEqual([])
  },
)
