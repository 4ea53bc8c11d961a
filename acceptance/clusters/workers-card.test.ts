/** An act on several workers at once is one card on their cluster's page, with a row for each worker. */
import { clusterInstallLog, instanceDetails, type Operation, operationCancel } from '@atoll/contract/clusters'
import type { Locale } from '@atoll/contract/wire'
import { operationKindLabel, operationStepLabel } from '@atoll/texts/operations'
import { expect, it } from 'vitest'
import { findBarriers } from '../stack/accessibility.ts'
import { detailOf, sampleClusters } from '../stack/samples/sample-clusters.ts'
import { shareConsole } from '../stack/shared-console.ts'

const { server, openTab } = shareConsole()
const cluster = sampleClusters.find(({ status }) => status === 'running')
if (!cluster?.operation) throw new Error('the sample has no cluster that runs and adds a worker')
const added = cluster.operation
const [allocate, ...others] = added.steps
if (!allocate) throw new Error('adding a worker has steps')
const [first, second] = cluster.workers.map(
  ({ instanceId }, index): Operation => ({
    ...added,
    operationId: `op_worker000${index}`,
    instanceId,
    startedAt: new Date(Date.now() - 90_000 * (2 - index)).toISOString(),
    cancellable: index === 1,
    steps:
      index === 1
        ? added.steps
        : [{ ...allocate, state: 'done' }, { ...allocate, step: 'pending' }, ...others.slice(1)],
  }),
)

it.each([
  ['en-US', { width: 1280, height: 860 }],
  ['zh-CN', { width: 390, height: 844 }],
] satisfies [Locale, object][])('shows workers being added, in %s at %j', async (locale, viewport) => {
  const details = detailOf(cluster)
  const line = 'image unpacked 1.8 GB'
  const installLog = JSON.stringify([
    { step: 'prepare', state: 'running', startedAt: added.startedAt, endedAt: null, percent: null, lines: [line] },
  ])
  server.answers.set(instanceDetails, {
    ...details,
    operations: [first, second],
  })
  server.answers.set(clusterInstallLog, { installLog })
  const sent: (string | null)[] = []
  server.answers.set(operationCancel, (fields: URLSearchParams) => {
    sent.push(fields.get('operationId'))
    return { status: 'running' }
  })
  const { page, context, app, complaints } = await openTab({ locale, viewport }, `/cluster/${cluster.clusterId}`)
  const { t } = app
  const what = operationKindLabel('addWorker', locale)
  const title = (name: string) => t('detail.operationOf', { what, name })
  const card = page.getByRole('region', { name: title(t('cluster.workers_other', { count: 2 })), exact: true })
  await card.waitFor()
  const rows = card.locator('ul').first().locator('> li')
  const at = (step: Operation['steps'][number]['step'], number: number) =>
    t('cluster.stepNow', { step: number, steps: 3, title: operationStepLabel(step, locale) })
  expect(await rows.count()).toBe(2)
  expect(await rows.nth(0).innerText()).toContain(t('cluster.workerNumber', { number: 1 }))
  expect(await rows.nth(0).innerText()).toContain(at('pending', 2))
  expect(await rows.nth(1).innerText()).toContain(t('cluster.workerNumber', { number: 2 }))
  expect(await rows.nth(1).innerText()).toContain(at('fetching', 1))
  expect(await findBarriers(page)).toEqual([])

  const opener = app.button(t('cluster.workerNumber', { number: 1 }), rows.nth(0))
  await opener.click()
  await rows.nth(0).getByRole('log').getByText(line).waitFor()
  expect(await findBarriers(page)).toEqual([])
  await opener.click()
  expect(await rows.nth(0).getByRole('log').count()).toBe(0)

  const dot = rows.nth(0).locator('[data-status] [data-colour]')
  expect(await dot.getAttribute('data-colour')).toBe('green')
  await context.setOffline(true)
  await expect.poll(() => dot.getAttribute('data-colour')).toBe('grey')
  await context.setOffline(false)
  await expect.poll(() => dot.getAttribute('data-colour')).toBe('green')
  complaints.length = 0 // the line was cut on purpose

  const cancel = app.button(t('action.cancel'), card)
  expect(await cancel.count(), 'the other one cannot be canceled any more').toBe(1)
  await cancel.click()
  const name = t('cluster.workerNumber', { number: 2 })
  await app.button(t('dialog.cancelDo'), app.dialog(t('dialog.cancelTitle', { name }))).click()
  await page.getByRole('dialog').waitFor({ state: 'detached' })
  expect(sent).toEqual([second?.operationId])
  expect(complaints).toEqual([])
})
