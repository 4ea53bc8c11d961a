/** Two workers for a cluster, in a real browser, in both languages: they join, one is killed and comes back, one is destroyed. */
import { createCluster, instanceList, type Locale, statusTable } from '@atoll/contract'
import { listInstances, type ServerProcess, startServer, until } from '@atoll/testkit'
import type { Browser } from 'playwright-core'
import { afterAll, beforeAll, it } from 'vitest'
import { findBarriers } from './stack/accessibility.ts'
import { desktop, keepPicture, launchBrowser, phone } from './stack/browser.ts'
import { clusterPage } from './stack/cluster-page.ts'
import { composeOrder } from './stack/clusters.ts'
import { openTab } from './stack/console-tab.ts'
import { createPerson } from './stack/people.ts'

interface Owner {
  locale: Locale
  viewport: { width: number; height: number }
  cluster: string
  /** Cores and memory in all, as the page says them with both workers. */
  withBoth: RegExp
}

const owners: Owner[] = [
  { locale: 'en-US', viewport: desktop, cluster: 'Rangiroa', withBoth: /^6 vCPU · 12 GB memory in all$/ },
  { locale: 'zh-CN', viewport: phone, cluster: 'Fakarava', withBoth: /^共 6 vCPU · 12 GB 内存$/ },
]

let server: ServerProcess
let browser: Browser
beforeAll(async () => {
  ;[server, browser] = await Promise.all([startServer(), launchBrowser()])
})
afterAll(async () => {
  await browser?.close()
  await server?.dispose()
})

// Side by side: most of it is waiting for machines.
it.concurrent.for(owners)('in $locale at $viewport.width px', async (owner, { expect }) => {
  const { locale, viewport, cluster, withBoth } = owner
  const { session, api } = await createPerson(server.url)
  const { clusterId } = await api.ask(createCluster, await composeOrder(api, { name: cluster }))
  const { page, app, complaints } = await openTab(browser, server.url, { locale, viewport, accounts: [session] })
  const { t } = app
  const at = clusterPage(page, locale)
  const [one, two] = [at.worker(1), at.worker(2)]
  const look = async (name: string) => {
    await keepPicture(page, `workers-${locale}-${name}`)
    expect.soft(await findBarriers(page), name).toEqual([])
  }
  const instancesOf = async () => {
    const found = await api.ask(instanceList, {})
    return found.filter((instance) => instance.clusterId === clusterId)
  }

  // The whole cluster on its page, live: no reload from here on.
  await page.goto('/')
  await app.waitForStatus(cluster, 'inactivated')
  await at.open(cluster)
  await page.evaluate('window.isSamePage = true')
  const dialog = await at.askForWorkers(cluster, 2)
  await dialog.getByText(t('create.quotaOf', { used: 6, quota: 16 })).waitFor()
  await look('1-asked')
  await app.button(t('worker.do_other', { count: 2 }), dialog).click()
  await Promise.all([at.waitForStatus(one, 'running'), at.waitForStatus(two, 'running')])
  await page.getByText(withBoth).waitFor()
  await look('2-joined')

  const [doomed] = (await instancesOf()).filter(({ name }) => name === 'worker-1')
  const agentsOf = () => listInstances(server.dataDir).filter(({ instanceId }) => instanceId === doomed?.instanceId)
  const [agent] = agentsOf()
  if (!agent) throw new Error('the worker that runs has no agent')
  process.kill(agent.pid, 'SIGKILL')
  await until('another agent of the worker runs', () => agentsOf().some(({ pid }) => pid !== agent.pid), {
    timeoutMs: 40_000,
  })
  await at.openTab('tabHistory')
  const recovery = at.row(t('detail.byItself')).filter({ hasText: one })
  await recovery.getByText(t('detail.resultDone'), { exact: true }).waitFor({ timeout: 40_000 })
  await look('3-history')
  await at.openTab('tabOverview')
  await at.waitForStatus(one, 'running')

  await at.choose(cluster, two, t('action.destroyWorker'))
  const name = t('instances.ofCluster', { name: two, cluster })
  const question = app.dialog(t('dialog.destroyTitle', { name }))
  await look('4-destroying')
  await app.button(t('dialog.destroyWorkerDo'), question).click()
  await at.row(two).waitFor({ state: 'detached', timeout: 60_000 })
  expect(await page.evaluate('window.isSamePage')).toBe(true)

  // Its name may go on with how many there are.
  await page
    .getByRole('link', { name: t('shell.instances') })
    .first()
    .click()
  await app.heading(t('instances.title')).waitFor()
  await at.row(one).getByText(statusTable.running.label[locale], { exact: true }).waitFor()
  await look('5-instances')
  expect((await instancesOf()).map(({ name: called }) => called).sort()).toEqual(['master', 'worker-1'])
  expect(complaints).toEqual([])
})
