/**
 * Questions that ordering a cluster asks, and those it leaves out: questions with one answer, prices of nothing, and
 * orders that are refused.
 */
import type { User } from '@atoll/contract/accounts'
import { type InstanceInfo, resourceInitNew } from '@atoll/contract/clusters'
import type { Locale } from '@atoll/contract/wire'
import { errorMessage } from '@atoll/texts/refusals'
import { describe, expect, it } from 'vitest'
import { findBarriers } from '../stack/accessibility.ts'
import { sampleAnswers } from '../stack/samples/sample-account.ts'
import { sampleClusters } from '../stack/samples/sample-clusters.ts'
import { shareConsole } from '../stack/shared-console.ts'
import { consoleStates } from '../stack/states/console-states.ts'
import { consoleTexts } from '../stack/texts.ts'

const { server, openTab } = shareConsole()
const names = { product: 'Atoll', wallet: 'LarePass' }
const phone = { width: 390, height: 844 }

type Init = { instanceInfo: InstanceInfo; user: User }
/** The sample account, with other facts of it or of what is sold. */
function sell(info: Partial<InstanceInfo>, user: Partial<User> = {}, clusters?: []): void {
  server.answers = sampleAnswers(clusters)
  const init = server.answers.get(resourceInitNew) as Init // the sample's
  server.answers.set(resourceInitNew, {
    ...init,
    instanceInfo: { ...init.instanceInfo, ...info },
    user: { ...init.user, ...user },
  })
}
const sample = sampleAnswers().get(resourceInitNew) as Init // the sample's
const { data, versions, clouds } = sample.instanceInfo
const free = Object.fromEntries(
  data.map(({ name }) => [name, { amount: 0, currency: 'usd' as const, interval: 'month' as const }]),
)
const two = clouds.map((cloud) => ({
  ...cloud,
  regions: [...cloud.regions, { regionId: 'reef', title: 'Reef', place: 'Hall 2' }],
}))

// In one language: what is proved is what the page keeps and asks, and axe checks its texts in both.
describe('in Chinese', () => {
  const locale: Locale = 'zh-CN'

  it('a provider, a region and a version of which there is one are no questions', async () => {
    sell({ versions: versions.slice(0, 1), pricePackage: free })
    const { page, app, complaints } = await openTab({ locale }, '/create?step=hardware')
    const { t } = app
    await app.heading(t('create.hardwareTitle')).waitFor()
    const groups = await page.getByRole('radio').evaluateAll((nodes) => nodes.map((node) => node.getAttribute('name')))
    expect(new Set(groups)).toEqual(new Set(['offering']))
    expect(await page.getByRole('definition').allInnerTexts()).toEqual(['Atoll', 'Lagoon · On this machine'])
    const steps = page.getByRole('list', { name: t('create.stepsLabel') }).getByRole('listitem')
    expect(await steps.count()).toBe(3)
    expect(await findBarriers(page)).toEqual([])
    await app.link(t('create.toReview')).click()
    await app.heading(t('create.reviewTitle')).waitFor()
    await page
      .getByText(versions[0]?.title ?? '', { exact: true })
      .first()
      .waitFor()
    expect(await app.link(t('create.changeWhat', { what: t('create.rowVersion') })).count()).toBe(0)
    expect(complaints).toEqual([])
  })

  it('a size of which there is one is no question either, and none of the order but its name', async () => {
    sell({ data: data.slice(0, 1), versions: versions.slice(0, 1) })
    const { app } = await openTab({ locale }, '/create')
    await app.link(app.t('create.toReview')).click()
    await app.heading(app.t('create.reviewPayTitle')).waitFor()
    await app.link(app.t('create.stepFlavour')).first().waitFor()
    expect(await app.link(app.t('create.stepHardware')).count()).toBe(0)
  })

  it('a version that is still being tested says so, in the words of the specification', async () => {
    sell({ versions: versions.map((version, at) => ({ ...version, ...(at > 0 && { beta: true }) })) })
    for (const [language, words] of [
      ['en-US', 'This feature is still in beta testing...'],
      ['zh-CN', '该功能仍在内测中...'],
    ] as const) {
      const { page, app } = await openTab({ locale: language }, '/create?step=version')
      await app.heading(app.t('create.versionTitle')).waitFor()
      expect(await page.locator('label').filter({ hasText: words }).allInnerTexts()).toEqual([
        expect.stringContaining(versions[1]?.title ?? ''),
      ])
      expect(await findBarriers(page)).toEqual([])
    }
  })

  it('two regions are a question, and three sizes stand side by side', async () => {
    sell({ clouds: two })
    const { page, app } = await openTab({ locale }, '/create?step=hardware')
    await app.heading(app.t('create.hardwareTitle')).waitFor()
    expect(
      await page
        .getByRole('group', { name: app.t('create.region') })
        .getByRole('radio')
        .count(),
    ).toBe(2)
    expect(await page.getByRole('group', { name: app.t('create.provider') }).count()).toBe(0)
    const boxes = await page.locator('label:has([name=offering])').evaluateAll((nodes) =>
      nodes.map((node) => {
        const { x, y } = (node as unknown as { getBoundingClientRect(): { x: number; y: number } }) // a DOM element
          .getBoundingClientRect()
        return { x, y }
      }),
    )
    expect(boxes.slice(0, 4).filter(({ y }) => y === boxes[0]?.y)).toHaveLength(3)
  })

  it('that nothing is charged is said once', async () => {
    sell({ pricePackage: free })
    for (const viewport of [undefined, phone]) {
      const { page, app } = await openTab({ locale, ...(viewport && { viewport }) }, '/create?step=hardware')
      await app.heading(app.t('create.hardwareTitle')).waitFor()
      expect(await page.getByText(app.t('create.noCharge'), { exact: true }).count()).toBe(1)
      // The sidebar has what is used above the plan, with its cost.
      const main = page.getByRole('main')
      expect(await main.getByText(/\$|0[.]00/).count()).toBe(0)
      expect(await findBarriers(page)).toEqual([])
    }
  })

  it('and once where workers are added', async () => {
    sell({ pricePackage: free })
    const state = consoleStates.find(({ name }) => name === 'adding workers')
    const tab = await openTab({ locale }, state?.path)
    await state?.open?.(tab)
    const dialog = tab.page.getByRole('dialog')
    expect(await dialog.getByText(tab.app.t('create.noCharge'), { exact: true }).count()).toBe(1)
    expect(await dialog.getByText(/\$|0[.]00/).count()).toBe(0)
  })

  it('while the clusters load home has no way to create that would vanish when there are none', async () => {
    sell({}, {}, [])
    const answered = Promise.withResolvers<void>()
    server.wait = (path) => (path === resourceInitNew.path ? answered.promise : undefined)
    const { page, app } = await openTab({ locale }, '/')
    await page.getByRole('status', { name: app.t('common.loading') }).waitFor()
    const ways = app.link(app.t('home.create'), page.getByRole('main'))
    expect(await ways.count()).toBe(0)
    answered.resolve()
    await app.heading(app.t('home.emptyTitle')).waitFor()
    expect(await ways.count()).toBe(1)
  })

  it.each([
    ['without an ID', errorMessage('idNotBound', locale, names), { terminusName: '' }],
    ['without permission', consoleTexts(locale)('refused.title'), { canCreateCluster: false }],
  ])('an account %s reads so on home, with and without clusters', async (_name, text, user) => {
    for (const clusters of [undefined, [] as []]) {
      sell({}, user, clusters)
      const { page, app } = await openTab({ locale }, '/')
      await page.getByText(text, { exact: true }).waitFor()
      const main = page.getByRole('main')
      expect(await app.link(app.t('home.create'), main).count(), 'no way to where it is refused').toBe(0)
      expect(await app.link(app.t('refused.bindWallet'), main).count()).toBe('terminusName' in user ? 1 : 0)
      expect(await page.getByRole('article').count()).toBe(clusters ? 0 : sampleClusters.length)
      expect(await findBarriers(page)).toEqual([])
    }
  })
})
