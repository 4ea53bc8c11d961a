/** Use of a plan: on a card of home how far above it is and its cost, for traffic today's part. */
import { planUsage } from '@atoll/contract/billing'
import { describe, expect, it } from 'vitest'
import { desktop, phone } from '../stack/browser.ts'
import { sampleClusters } from '../stack/samples/sample-clusters.ts'
import { shareConsole } from '../stack/shared-console.ts'

const { server, openTab } = shareConsole()
const [cluster] = sampleClusters
if (cluster?.status !== 'running') throw new Error('the first cluster of the sample does not run')
const { name, clusterId } = cluster
/** As the sample's plan has it: backups above their quota, traffic below it. */
const cost = '+$0.62'

describe('a card', () => {
  const locale = 'en-US'
  it.each([desktop, phone])('has the cost beside the bar that is above its quota, $width wide', async (viewport) => {
    const { promise, resolve: answer } = Promise.withResolvers<void>()
    server.wait = (path) => (path === planUsage.path ? promise : undefined)
    const { app, page, complaints } = await openTab({ locale, viewport }, '/')
    const bars = app.card(name).getByRole('meter')
    await bars.nth(2).waitFor()
    const places = () => bars.evaluateAll((all) => all.map((bar) => JSON.stringify(bar.getBoundingClientRect())))
    const [before, unknown] = [await places(), await bars.nth(1).getAttribute('aria-valuetext')]
    answer()
    await app.card(name).getByText(cost, { exact: true }).waitFor()
    expect(await places()).toEqual(before)
    const figures = { what: app.t('cluster.backupLabel'), used: '162.4 GB', total: '150 GB' }
    expect(unknown).toBe(app.t('cluster.meterText', figures))
    expect(await bars.nth(1).getAttribute('aria-valuetext')).toBe(app.t('cluster.meterOver', { ...figures, cost }))
    expect(await bars.nth(2).getAttribute('aria-valuetext')).not.toContain('$')
    // Beside the plan's meter in the sidebar, which a phone has no room for.
    const all = page.getByText(cost, { exact: true })
    const onCards = page.getByRole('article').getByText(cost, { exact: true })
    expect((await all.count()) - (await onCards.count())).toBe(viewport === phone ? 0 : 1)
    expect(complaints).toEqual([])
  })
})

it('says no cost where the plan stops instead of charging', async () => {
  const stopped = { used: 162.4, quota: 150, overage: 12.4, amount: 0, unitLabel: 'GB', networks: [] }
  const row = { ...stopped, productType: 'cloud_backup', currency: 'usd', state: 'limited' } as const
  server.answers.set(planUsage, [{ ...row, asOf: new Date().toISOString() }])
  const { app, page } = await openTab({}, '/')
  // Drawn once its answer is there, which the cards read too.
  await page.getByRole('navigation').getByRole('meter').waitFor()
  await app.card(name).getByRole('meter').nth(2).waitFor()
  expect(await page.getByText('+$').count()).toBe(0)
})

describe('the tab Network', () => {
  const locale = 'zh-CN'
  it.each([desktop, phone])("has today's part of the traffic beside the period's, $width wide", async (viewport) => {
    const { app, page } = await openTab({ locale, viewport }, `/cluster/${clusterId}?tab=network`)
    const rows = page.getByRole('row').filter({ hasText: /12 GB|1,248\.5 GB/ })
    await rows.nth(1).waitFor()
    const texts = await rows.allInnerTexts()
    expect(texts.map((text) => text.match(/[\d.]+ GB/g)?.at(-1))).toEqual(['6.2 GB', '0.4 GB'])
    expect(await page.getByText(app.t('network.columnToday'), { exact: true }).first().isVisible()).toBe(true)
  })
})
