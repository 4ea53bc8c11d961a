/** A paged list as a person leafs through it and narrows it: the address says where they are. */
import { type AuditRecord, auditPage } from '@atoll/contract/audit'
import { auditKindLabel } from '@atoll/texts/audit'
import { beforeEach, expect, it } from 'vitest'
import { sampleClusters } from '../stack/samples/sample-clusters.ts'
import { shareConsole } from '../stack/shared-console.ts'

const { server, openTab } = shareConsole()
const rowsNumber = 45
const [cluster] = sampleClusters

/** Record 45 is the newest; of clusters there are all of them, of anything else none. */
beforeEach(() => {
  server.answers.set(auditPage, (fields: URLSearchParams) => {
    const [page, rowsPerPage] = [Number(fields.get('page')), 20]
    const kind = fields.get('kind')
    const number = kind === null || kind === 'cluster' ? rowsNumber : 0
    const first = number - (page - 1) * rowsPerPage
    const rows = Array.from({ length: Math.max(0, Math.min(rowsPerPage, first)) }, (_, at) => first - at)
    return { records: rows.map(record), page, rowsPerPage, rowsNumber: number }
  })
})

function record(seq: number): AuditRecord {
  const owner = { userid: 'did:key:zOther', terminusName: null }
  const object = { kind: 'cluster' as const, id: cluster?.clusterId ?? null, name: `Reef ${seq}`, owner }
  const what = { action: 'cluster.start' as const, object, before: null, after: null, isErased: false }
  return { seq, at: new Date(0).toISOString(), actor: null, sessionId: null, ip: null, ...what }
}

it('leafs by its pager, and an address that names a page opens it', async () => {
  const { page, app, complaints } = await openTab({}, '/activity?theirs=1')
  const range = (from: number, to: number) => page.getByText(app.t('table.range', { from, to, total: rowsNumber }))
  await range(1, 20).waitFor()
  expect(await app.button(app.t('table.previous', { list: app.t('activity.title') })).isDisabled()).toBe(true)
  await app.button(app.t('table.next', { list: app.t('activity.title') })).click()
  await range(21, 40).waitFor()
  // Other parts of the address stay.
  await page.waitForURL(({ search }) => search.includes('page=2') && search.includes('theirs=1'))
  await page.reload()
  await range(21, 40).waitFor()
  await app.button(app.t('table.next', { list: app.t('activity.title') })).click()
  await range(41, 45).waitFor()
  expect(await page.locator('tbody > tr').count()).toBe(5)
  expect(await app.button(app.t('table.next', { list: app.t('activity.title') })).isDisabled()).toBe(true)
  expect(complaints).toEqual([])
})

it('opens its last page for an address beyond it', async () => {
  const { page, app } = await openTab({}, '/activity?page=99')
  await page.getByText(app.t('table.range', { from: 41, to: 45, total: rowsNumber })).waitFor()
  await page.waitForURL(({ search }) => search.includes('page=3'))
})

it('begins again at the first page when it is narrowed, and says when nothing matches', async () => {
  const { page, app } = await openTab({ locale: 'zh-CN' }, '/activity?page=2')
  const kinds = page.getByRole('button', { name: app.t('activity.filterKind') })
  const choose = async (label: string) => {
    await kinds.click()
    await page.getByRole('menuitemradio', { name: label, exact: true }).click()
  }
  await choose(auditKindLabel('cluster', 'zh-CN'))
  await page.getByText(app.t('table.range', { from: 1, to: 20, total: rowsNumber })).waitFor()
  await page.waitForURL(({ search }) => search.includes('kind=cluster') && !search.includes('page'))
  await choose(auditKindLabel('session', 'zh-CN'))
  await page.getByText(app.t('table.noneOfFilter')).waitFor()
  expect(await page.getByText(app.t('activity.emptyTitle')).count()).toBe(0)
  await choose(app.t('activity.allKinds'))
  await page.getByText(app.t('table.range', { from: 1, to: 20, total: rowsNumber })).waitFor()
})
