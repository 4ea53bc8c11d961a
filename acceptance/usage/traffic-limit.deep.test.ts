/**
 * A plan whose traffic is used up, on a real server with a real edge: what visitors meet in their language, what the
 * owner reads, and that everything opens once the plan is raised.
 */
import { execFile } from 'node:child_process'
import { promisify } from 'node:util'
import { clusterMonitor } from '@atoll/contract/clusters'
import type { Locale } from '@atoll/contract/wire'
import { operatorProgram, until } from '@atoll/testkit'
import { expect, it } from 'vitest'
import { createVisitor } from '../../apps/server/src/modules/edge/testing/visitor.ts'
import { consoleApp } from '../stack/apps/console-app.ts'
import { desktop, openScreen } from '../stack/browser.ts'
import { createRunningCluster } from '../stack/clusters.ts'
import { createPerson } from '../stack/people.ts'
import { holdSession } from '../stack/signed-in.ts'
import { useStack } from '../stack/use-stack.ts'

/** The traffic that Free includes, bytes (catalog.yaml). */
const quota = 50_000_000_000
const limitTexts: Record<Locale, string> = {
  'en-US': 'Your traffic limit has been exceeded. Upgrade your plan to increase your traffic.',
  'zh-CN': '流量已超出上限',
}

const stack = useStack({ browser: true, sql: true })

/** As an operator gives it. */
async function credit(userid: string, amount: string): Promise<void> {
  const admin = operatorProgram('admin/admin.ts')
  await promisify(execFile)(process.execPath, [admin, 'credit', userid, amount, 'cash'], {
    env: { ...process.env, ...stack.settings, ATOLL_DATA_DIR: stack.server.dataDir },
  })
}

it('visitors read it in their language and get its status, the owner on every page, until the plan is raised', async () => {
  const { api, session } = await createPerson(stack.server.url)
  const { url, clusterId, name } = await createRunningCluster(api)
  const address = url ?? ''
  // A program that is no browser: it knows no names under localhost.
  const visit = createVisitor(stack.server.ports.edge, new URL(address).host)
  const statusOf = async () => (await visit()).status
  await until('the cluster serves its visitors', async () => (await statusOf()) === 200)

  // All but the last of it was moved before; the rest is moved here, through the edge.
  const left = 2_000_000
  await stack.sql.query(
    `insert into traffic_counters (cluster_id, hour, bytes_in, bytes_out, kind)
      values ($1, date_trunc('hour', now()), $2, 0, 'edge')
      on conflict (cluster_id, hour, kind) do update set bytes_in = excluded.bytes_in`,
    [clusterId, quota - left],
  )
  // Visits that were allowed before are refused now.
  await stack.sql.query('delete from traffic_allowances')
  expect(await statusOf()).toBe(200)
  const body = 'a'.repeat(left / 2)
  await until('the edge stops', async () => (await visit({ method: 'POST', body })).status === 503)

  expect((await visit()).body.toString()).toContain(limitTexts['en-US'])
  const receivedAt = async () => (await api.ask(clusterMonitor, { clusterId })).metrics.lastUpdatedAt ?? ''
  const limitedAt = await receivedAt()
  for (const locale of ['en-US', 'zh-CN'] as const) {
    const { page, context } = await openScreen(stack.browser, { locale, viewport: desktop })
    const answer = await page.goto(address)
    expect(answer?.status()).toBe(503)
    expect(Number(answer?.headers()['retry-after'])).toBeGreaterThan(0)
    expect(await page.locator('body').innerText()).toContain(limitTexts[locale])
    expect(await page.locator('html').getAttribute('lang')).toBe(locale)
    await context.close()
  }

  const { page, context, complaints } = await openScreen(stack.browser, { locale: 'en-US', viewport: desktop })
  await holdSession(context, session)
  await page.goto(stack.server.url)
  const app = consoleApp(page, 'en-US')
  await app.card(name).waitFor()
  const notice = (text: string) => page.getByRole('status').filter({ hasText: text })
  await notice(limitTexts['en-US']).waitFor()
  // Its agent goes on reporting, and the vault takes requests: this one names nobody.
  await until('the agent measures on', async () => (await receivedAt()) > limitedAt)
  expect((await fetch(`http://127.0.0.1:${stack.server.ports.vault}/`)).status).toBeLessThan(500)
  expect(await statusOf()).toBe(503)

  await credit(session.userid, '10.00')
  await page.goto(`${stack.server.url}/billing`)
  await notice(limitTexts['en-US']).waitFor()
  await app.button(app.t('billing.upgradeTo', { plan: 'Starter' })).click()
  const dialog = page.getByRole('dialog')
  await dialog.getByRole('button', { name: app.t('billing.payAmount', { amount: '$3.00' }) }).click()
  await until('the edge serves again', async () => (await statusOf()) === 200)
  await notice(app.t('notice.open', { what: app.t('notice.cloud_traffic') })).waitFor()
  expect(await notice(limitTexts['en-US']).count()).toBe(0)
  expect(complaints).toEqual([])
  await context.close()
})
