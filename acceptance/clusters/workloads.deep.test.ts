/**
 * Services of an instance, from its real agent to the page of its cluster in both languages: a service that dies is
 * shown as failed, with its sentence, without a press or reload.
 */
import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdir, rename, rm, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import type { Workload } from '@atoll/contract/clusters'
import type { Locale } from '@atoll/contract/wire'
import { findInstanceFolder } from '@atoll/testkit'
import { expect, it, onTestFinished } from 'vitest'
import { findBarriers } from '../stack/accessibility.ts'
import { desktop, keepPicture, phone } from '../stack/browser.ts'
import { createRunningCluster } from '../stack/clusters.ts'
import { openTab } from '../stack/console-tab.ts'
import { createPerson } from '../stack/people.ts'
import { useStack } from '../stack/use-stack.ts'

const screens = [
  { locale: 'en-US', viewport: desktop },
  { locale: 'zh-CN', viewport: phone },
] satisfies { locale: Locale; viewport: typeof desktop }[]

/** After a service died, ms. */
const shownWithin = 10_000

const stack = useStack({ browser: true })

/** The operator's own services on the instance in `folder`: one that lives and dies, others as their script says. */
async function startServices(folder: string): Promise<{ photos: ChildProcess; died: Promise<void> }> {
  const script = join(folder, 'script')
  await mkdir(script, { recursive: true })
  const report = async (photos: Partial<Workload>) => {
    const list = [
      { name: 'photos', title: 'Photo library', ...photos },
      { name: 'index', title: 'Search index', state: 'Progressing', reason: 'Reads 4000 files.' },
      { name: 'mail', title: 'Mail', state: 'Scheduling' },
    ]
    await writeFile(join(script, 'next.json'), JSON.stringify(list))
    await rename(join(script, 'next.json'), join(script, 'workloads.json'))
  }
  const photos = spawn('sleep', ['3600'], { stdio: 'ignore' })
  onTestFinished(() => void photos.kill('SIGKILL'))
  const died = once(photos, 'exit').then(([, signal]) =>
    report({ state: 'Failed', reason: `It was ended by ${signal}.` }),
  )
  await report({ state: 'Completed' })
  return { photos, died }
}

it('a service that dies is shown as failed and says why, and its neighbours as they are', async () => {
  const { api, session } = await createPerson(stack.server.url)
  const { clusterId, instanceId } = await createRunningCluster(api)
  const pages = await Promise.all(
    screens.map(async (screen) => {
      const { page, app, complaints } = await openTab(stack.browser, stack.server.url, {
        ...screen,
        accounts: [session],
      })
      await page.goto(`/cluster/${clusterId}`)
      const rows = page.getByRole('region', { name: app.t('workloads.title') }).getByRole('row')
      const state = (called: string, is: Workload['state']) =>
        rows
          .filter({ has: page.getByText(called, { exact: true }) })
          .getByText(app.t(`workloads.state${is}`), { exact: true })
          .waitFor()
      return { page, app, complaints, state, locale: screen.locale }
    }),
  )
  type Shown = (typeof pages)[number]
  const everywhere = (check: (shown: Shown) => Promise<unknown>) => Promise.all(pages.map(check))
  await everywhere(async ({ app, state }) => {
    await state(app.t('workloads.server'), 'Completed')
    await state(app.t('workloads.files'), 'Completed')
  })

  const folder = findInstanceFolder(stack.server.dataDir, instanceId)
  const { photos, died } = await startServices(folder)
  await everywhere(async ({ page, state }) => {
    await state('Photo library', 'Completed')
    await state('Search index', 'Progressing')
    await state('Mail', 'Scheduling')
    await page.getByText('Reads 4000 files.', { exact: true }).waitFor()
  })

  photos.kill('SIGKILL')
  await died
  const diedAt = performance.now()
  await everywhere(async ({ page, app, state, locale }) => {
    await state('Photo library', 'Failed')
    await page.getByText('It was ended by SIGKILL.', { exact: true }).waitFor()
    expect(performance.now() - diedAt).toBeLessThanOrEqual(shownWithin)
    await page.getByText(app.t('workloads.someFailed', { count: 1, total: 5 }), { exact: true }).waitFor()
    await keepPicture(page, `workloads-${locale}`)
    expect.soft(await findBarriers(page), locale).toEqual([])
  })

  // One of the agent's own: what holds the owner's files goes away, and comes back.
  await rename(join(folder, 'drive'), join(folder, 'gone'))
  await everywhere(async ({ page, app, state }) => {
    await state(app.t('workloads.files'), 'Failed')
    await page.getByText('The folder of the files cannot be used:').waitFor()
  })
  await rename(join(folder, 'gone'), join(folder, 'drive'))
  await rm(join(folder, 'script', 'workloads.json'))
  await everywhere(async ({ page, app, state }) => {
    await state(app.t('workloads.files'), 'Completed')
    await page.getByText('Photo library', { exact: true }).waitFor({ state: 'detached' })
  })
  for (const { complaints } of pages) expect(complaints).toEqual([])
})
