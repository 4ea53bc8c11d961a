/**
 * A cluster's page in a real browser, in both languages: two workers join, one is killed and comes back, one is
 * destroyed; an owner who forgot the password sets a new one.
 */
import { clusterActivation, clusterPasswordReset, createCluster, instanceList } from '@atoll/contract/clusters'
import { codes, type Locale } from '@atoll/contract/wire'
import { listInstances, type ScriptedWallet, until } from '@atoll/testkit'
import { statusLabels } from '@atoll/texts/statuses'
import type { Page } from 'playwright-core'
import { it } from 'vitest'
import { findBarriers } from '../stack/accessibility.ts'
import { clusterPage } from '../stack/apps/cluster-page.ts'
import { personalServerApp } from '../stack/apps/personal-server-app.ts'
import { desktop, keepPicture, phone } from '../stack/browser.ts'
import { composeOrder, waitForStatus } from '../stack/clusters.ts'
import { openTab } from '../stack/console-tab.ts'
import { createPerson } from '../stack/people.ts'
import { useStack } from '../stack/use-stack.ts'

interface Owner {
  viewport: { width: number; height: number }
  cluster: string
  /** Cores and memory in all, as the page says them with both workers. */
  withBoth: RegExp
}

const owners: Record<Locale, Owner> = {
  'en-US': { viewport: desktop, cluster: 'Rangiroa', withBoth: /^6 vCPU · 12 GB memory in all$/ },
  'zh-CN': { viewport: phone, cluster: 'Fakarava', withBoth: /^共 6 vCPU · 12 GB 内存$/ },
}
const [first, second] = ['three quiet lagoons at dusk', 'four louder lagoons at dawn']

const stack = useStack({ browser: true })

/** Posts from within the page: browsers know the addresses under `.localhost`, this machine need not. */
async function postFrom(page: Page, url: string, body: object): Promise<{ status: number; code: number }> {
  return await page.evaluate(
    async ([to, text]) => {
      const headers = { 'content-type': 'application/json' }
      const answer = await fetch(to, { method: 'POST', headers, body: text })
      return { status: answer.status, code: ((await answer.json()) as { code: number }).code }
    },
    [url, JSON.stringify(body)] as const,
  )
}

/** The owner's wallet approves what the wizard on `page` shows after `act`. */
async function approveOn(page: Page, wallet: ScriptedWallet, act: () => Promise<void>): Promise<void> {
  const [begun] = await Promise.all([page.waitForResponse(/\/api\/activation\/begin$/), act()])
  const { signRequest } = (await begun.json()) as { signRequest: string }
  const request = wallet.read(signRequest)
  const { code } = await postFrom(page, request.message.sign.callback_url, wallet.approval(request))
  if (code !== codes.ok) throw new Error(`the approval was answered with ${code}`)
}

/** A test of the file that calls it: workers come and go on the page of a person who reads `locale`. */
export function testWorkers(locale: Locale): void {
  const owner = owners[locale]
  // Side by side with others: most of it is waiting for machines.
  it.concurrent(`workers, in ${locale} at ${owner.viewport.width} px`, async ({ expect }) => {
    const { viewport, cluster, withBoth } = owner
    const { session, api } = await createPerson(stack.server.url)
    const { clusterId } = await api.ask(createCluster, await composeOrder(api, { name: cluster }))
    const { page, app, complaints } = await openTab(stack.browser, stack.server.url, {
      locale,
      viewport,
      accounts: [session],
    })
    const { t } = app
    const at = clusterPage(page, locale)
    const [one, two] = [at.worker(1), at.worker(2)]
    const check = async (name: string) => {
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
    await check('1-asked')
    await app.button(t('worker.do_other', { count: 2 }), dialog).click()
    await Promise.all([at.waitForStatus(one, 'running'), at.waitForStatus(two, 'running')])
    await page.getByText(withBoth).waitFor()
    await check('2-joined')

    const [crashing] = (await instancesOf()).filter(({ name }) => name === 'worker-1')
    const agentsOf = () =>
      listInstances(stack.server.dataDir).filter(({ instanceId }) => instanceId === crashing?.instanceId)
    const [agent] = agentsOf()
    if (!agent) throw new Error('the worker that runs has no agent')
    process.kill(agent.pid, 'SIGKILL')
    await until('another agent of the worker runs', () => agentsOf().some(({ pid }) => pid !== agent.pid))
    await at.openTab('tabHistory')
    // On a busy machine another instance may have been brought back as well.
    const byItself = page.getByRole('row').filter({ has: page.getByText(t('activity.system'), { exact: true }) })
    const recovery = byItself.filter({ hasText: one }).first()
    await recovery.getByText(t('detail.resultDone'), { exact: true }).waitFor()
    await check('3-history')
    await at.openTab('tabOverview')
    await at.waitForStatus(one, 'running')

    await at.choose(cluster, two, t('action.destroyWorker'))
    const name = t('cluster.instanceOf', { name: two, cluster })
    const question = app.dialog(t('dialog.destroyTitle', { name }))
    await question.waitFor()
    await check('4-destroying')
    await app.button(t('dialog.destroyWorkerDo'), question).click()
    await at.row(two).waitFor({ state: 'detached' })
    expect(await page.evaluate('window.isSamePage')).toBe(true)

    // Its name may go on with how many there are.
    await page
      .getByRole('link', { name: t('shell.instances') })
      .first()
      .click()
    await app.heading(t('instances.title')).waitFor()
    await at.row(one).getByText(statusLabels[locale].running, { exact: true }).waitFor()
    await check('5-instances')
    expect((await instancesOf()).map(({ name: called }) => called).sort()).toEqual(['master', 'worker-1'])
    expect(complaints).toEqual([])
  })
}

/** A test of the file that calls it: a person who reads `locale` sets another password. */
export function testForgottenPassword(locale: Locale): void {
  const owner = owners[locale]
  it.concurrent(`a forgotten password, in ${locale} at ${owner.viewport.width} px`, async ({ expect }) => {
    const { viewport, cluster } = owner
    const { session, api, wallet, name } = await createPerson(stack.server.url)
    const stranger = await createPerson(stack.server.url)
    const { clusterId } = await api.ask(createCluster, await composeOrder(api, { name: cluster }))
    await waitForStatus(api, clusterId, ['inactivated'])
    const early = await api.send(clusterPasswordReset, { clusterId })
    expect(early.code).toBe(codes.conflict)

    const { page, context, app, complaints } = await openTab(stack.browser, stack.server.url, {
      locale,
      viewport,
      accounts: [session],
    })
    const { password, wizardUrl } = await api.ask(clusterActivation, { clusterId })
    // Activated in another browser, which is to be signed out.
    const wizard = (await openTab(stack.browser, wizardUrl, { locale, viewport, accounts: undefined })).page
    await wizard.goto(wizardUrl)
    const owned = personalServerApp(wizard, locale)
    await approveOn(wizard, wallet, () => owned.enterOneTimePassword(password))
    await owned.setPassword(first, cluster)
    await waitForStatus(api, clusterId, ['running'])

    const at = clusterPage(page, locale)
    const { t } = app
    await page.goto('/')
    await at.open(cluster)
    await at.openTab('tabAccess')
    await app.button(t('access.reset')).click()
    const question = app.dialog(t('access.resetTitle', { name: cluster }))
    await question.waitFor()
    expect(await findBarriers(page)).toEqual([])
    // The password comes before the call that asked for it ends: that one waits for the list.
    const come = page.getByText(t('access.show'), { exact: true }).waitFor()
    await page.route(/\/v1\/resource\/$/, async (route) => {
      await come
      await route.continue()
    })
    await app.button(t('access.resetDo'), question).click()
    await question.waitFor({ state: 'hidden' })
    await app.button(t('access.show')).click()
    const shown = await page.locator('code').innerText()
    expect(shown).not.toBe(password)
    await keepPicture(page, `password-reset-${locale}`)
    expect(await findBarriers(page)).toEqual([])

    const [reset] = await Promise.all([context.waitForEvent('page'), app.link(t('dialog.activateOpen')).click()])
    const resetApp = personalServerApp(reset, locale)
    await approveOn(reset, wallet, () => resetApp.enterOneTimePassword(shown, { title: 'resetTitle', carried: true }))
    await resetApp.setPassword(second, cluster, 'resetDone')
    // The console is notified: nothing is left to show.
    await page.getByText(t('access.passwordHelp'), { exact: true }).waitFor()

    // The browser that was signed in with the old password is out, and only the new one lets it in.
    await wizard.goto(new URL('/', wizardUrl).href)
    await wizard.getByLabel(resetApp.t('signIn.name'), { exact: true }).waitFor()
    const signIn = (typed: string) =>
      postFrom(wizard, new URL('/api/session', wizardUrl).href, { name, password: typed })
    expect((await signIn(first)).status).toBe(403)
    expect((await signIn(second)).status).toBe(200)

    expect((await stranger.api.send(clusterPasswordReset, { clusterId })).code).toBe(codes.notFound)
    expect(complaints).toEqual([])
  })
}
