/**
 * The form of an alert's rule: what it shows of the past, what it keeps, and what it says of bad input; and the page of
 * all rules, which opens it for one cluster or for every one.
 */
import {
  accountAlerts,
  type ClusterAlerts,
  clusterAlertPreview,
  clusterAlertSet,
  clusterAlerts,
} from '@atoll/contract/observe'
import { expect, it } from 'vitest'
import { sampleAnswers } from '../stack/samples/sample-account.ts'
import { sampleClusters } from '../stack/samples/sample-clusters.ts'
import { shareConsole } from '../stack/shared-console.ts'

const { server, openTab } = shareConsole()
const cluster = sampleClusters.find(({ status }) => status === 'running')
if (!cluster) throw new Error('the sample has no cluster that is running')
const path = `/cluster/${cluster.clusterId}?tab=monitoring`

/** Has the server keep what it is sent. */
function keepRules(): URLSearchParams[] {
  const alerts = sampleAnswers().get(clusterAlerts) as ClusterAlerts
  const sent: URLSearchParams[] = []
  server.answers.set(clusterAlerts, () => {
    const rules = alerts.rules.map((rule) => {
      const change = sent.findLast((fields) => fields.get('rule') === rule.rule)
      if (!change) return rule
      const number = (name: string) => (change.has(name) ? Number(change.get(name)) : null)
      const levels = { threshold: number('threshold'), clearBelow: number('clearBelow') }
      return { ...rule, ...levels, forMinutes: number('forMinutes') ?? 0 }
    })
    return { ...alerts, rules }
  })
  server.answers.set(clusterAlertSet, (fields: URLSearchParams) => {
    sent.push(fields)
    return {}
  })
  return sent
}

it('a rule is opened, changed and saved, and is shown as it was saved', async () => {
  const sent = keepRules()
  const { page, app } = await openTab({}, path)
  const open = () => app.button(app.t('alerts.changeOf', { alert: app.t('alertKinds.disk.name') })).click()
  const dialog = page.getByRole('dialog', { name: app.t('alertKinds.disk.title') })
  const field = (name: 'threshold' | 'minutes' | 'clearBelow') => dialog.getByLabel(app.t(`alerts.${name}`))
  await open()
  // The preview is of what is typed.
  await dialog.getByText(app.t('alerts.preview_one')).waitFor()
  await field('threshold').fill('97')
  await dialog.getByText(app.t('alerts.previewNever')).waitFor()
  await field('clearBelow').fill('70')
  await field('threshold').fill('80')
  await dialog.getByText(app.t('alerts.preview_one')).waitFor()
  await field('minutes').fill('25')
  await dialog.getByRole('button', { name: app.t('alerts.save') }).click()
  await dialog.waitFor({ state: 'hidden' })
  expect(Object.fromEntries(sent[0] ?? [])).toMatchObject({
    clusterId: cluster.clusterId,
    rule: 'disk',
    isOn: 'true',
    mail: 'true',
    threshold: '80',
    forMinutes: '25',
    clearBelow: '70',
  })
  const words = { what: app.t('alertKinds.disk.name'), threshold: '80%', clear: '70%', minutes: 25 }
  await page.getByText(app.t('alerts.rule', words), { exact: true }).waitFor()
  await open()
  expect(await field('threshold').inputValue()).toBe('80')
  expect(await field('minutes').inputValue()).toBe('25')
  expect(await field('clearBelow').inputValue()).toBe('70')
})

it('bad input is named at its field, sends nothing and loses nothing', async () => {
  const sent = keepRules()
  const { page, app } = await openTab({}, path)
  await app.button(app.t('alerts.changeOf', { alert: app.t('alertKinds.disk.name') })).click()
  const dialog = page.getByRole('dialog', { name: app.t('alertKinds.disk.title') })
  const field = (name: 'threshold' | 'minutes' | 'clearBelow') => dialog.getByLabel(app.t(`alerts.${name}`))
  const wrong = async (name: 'threshold' | 'minutes' | 'clearBelow') => {
    await dialog.getByRole('button', { name: app.t('alerts.save') }).click()
    await expect.poll(() => field(name).getAttribute('aria-invalid')).toBe('true')
    const id = (await field(name).getAttribute('aria-describedby')) ?? ''
    return await page
      .locator(
        id
          .split(' ')
          .map((one) => `[id="${one}"]`)
          .join(','),
      )
      .last()
      .innerText()
  }
  await dialog.getByText(app.t('alerts.preview_one')).waitFor()
  const previews = () => server.asked.filter((asked) => asked === clusterAlertPreview.path).length
  const before = previews()
  await field('clearBelow').fill('95')
  expect(await wrong('clearBelow')).toBe('Must not be above the level at which it fires')
  await field('clearBelow').fill('85')
  await field('minutes').fill('0')
  expect(await wrong('minutes')).not.toBe('')
  await field('minutes').fill('10')
  await field('threshold').fill('120')
  expect(await wrong('threshold')).not.toBe('')
  expect(await field('threshold').inputValue()).toBe('120')
  expect(sent).toEqual([])
  // The last answer stays; what would not be taken is not asked for.
  await page.evaluate(`new Promise((done) => setTimeout(done, 0))`)
  expect(previews()).toBeLessThanOrEqual(before + 1)
  await field('threshold').fill('88')
  await dialog.getByRole('button', { name: app.t('alerts.save') }).click()
  await dialog.waitFor({ state: 'hidden' })
  expect(Object.fromEntries(sent[0] ?? [])).toMatchObject({ threshold: '88', forMinutes: '10', clearBelow: '85' })
})

it('a rule is made for every cluster at once, and changed for one of them, from the page of all rules', async () => {
  const sent = keepRules()
  const { page, app } = await openTab({}, '/alerts')
  const choice = { measure: app.t('alerts.measure'), where: app.t('alerts.where') }
  await app.button(app.t('alerts.newRule')).click()
  const dialog = page.getByRole('dialog')
  await dialog.getByText(app.t('alerts.preview_one')).waitFor()
  await dialog.getByLabel(choice.measure).selectOption({ label: app.t('alertKinds.offline.name') })
  // It is off at the first cluster; a new rule is there to be watched.
  const watch = dialog.getByLabel(app.t('alerts.watch'))
  await expect.poll(() => watch.isChecked()).toBe(true)
  expect(await dialog.getByLabel(app.t('alerts.threshold')).count()).toBe(0)
  await dialog.getByLabel(app.t('alerts.minutes')).fill('9')
  await dialog.getByRole('button', { name: app.t('alerts.save') }).click()
  await dialog.waitFor({ state: 'hidden' })
  expect(Object.fromEntries(sent[0] ?? [])).toMatchObject({ clusterId: 'all', rule: 'offline', forMinutes: '9' })

  // Where clusters differ each has a row, which opens the form for that cluster.
  const name = [app.t('alertKinds.offline.short'), cluster.name].join(app.t('alerts.comma'))
  await app.button(app.t('alerts.changeOf', { alert: name })).click()
  await expect.poll(() => dialog.getByLabel(choice.where).inputValue()).toBe(cluster.clusterId)
  expect(await watch.isChecked()).toBe(false)
  await watch.check()
  await dialog.getByRole('button', { name: app.t('alerts.save') }).click()
  await dialog.waitFor({ state: 'hidden' })
  expect(Object.fromEntries(sent[1] ?? [])).toMatchObject({
    clusterId: cluster.clusterId,
    rule: 'offline',
    isOn: 'true',
  })
})

it('without a cluster there is nothing to watch, and the page says what comes', async () => {
  server.answers.set(accountAlerts, { rules: [], clusters: [], history: [] })
  const { page, app } = await openTab({}, '/alerts')
  await page.getByText(app.t('alerts.emptyTitle'), { exact: true }).waitFor()
  expect(await app.button(app.t('alerts.newRule')).count()).toBe(0)
})
