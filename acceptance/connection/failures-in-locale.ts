import {
  cancelInstance,
  clusterRename,
  clusterRestart,
  clusterStart,
  clusterStop,
  destroyMaster,
  type Resource,
  resourceInitNew,
} from '@atoll/contract/clusters'
import { codes, eventsPath, type Locale } from '@atoll/contract/wire'
import { until } from '@atoll/testkit'
import type { Locator } from 'playwright-core'
import { describe, expect, it } from 'vitest'
import { sampleSession } from '../stack/samples/sample-account.ts'
import { sampleClusters } from '../stack/samples/sample-clusters.ts'
import { envelope } from '../stack/scripted-console.ts'
import { shareConsole } from '../stack/shared-console.ts'

export const { server, openTab } = shareConsole()

function sample(status: Resource['status']): Resource {
  const found = sampleClusters.find((cluster) => cluster.status === status)
  if (!found) throw new Error(`the sample lacks a cluster that is ${status}`)
  return found
}
export const [stopped, running, queuing] = [sample('stopped'), sample('running'), sample('queuing')]

/** Only `path` breaks down, with HTTP `status` and this body. */
const breakAt =
  (path: string, status: number, body: string) =>
  (asked: string): { status: number; body: string } | undefined =>
    asked === path ? { status, body } : undefined

/** How often a question is asked that no network answers. */
const tries = 3

/**
 * The page asks when it is opened, and once more when the stream of changes is open. From then on it shows the failure
 * until the person asks again: a server that answers before that would be asked by the page itself. `times`: tries of
 * a question.
 */
export const untilLeftToPerson = (path: string, times = 1) =>
  expect.poll(() => server.asked.filter((asked) => asked === path).length).toBeGreaterThanOrEqual(2 * times)

/**
 * Presses *Try again* of each part that did not load until none is left. Each part has a button of its own, and a page
 * may ask once more in between, so that a part loads before it is pressed, or is known to have failed only now.
 */
export const retryUntilLoaded = (retry: Locator) =>
  until('every part has loaded', async () => {
    const left = await retry.evaluateAll((buttons: { click(): void }[]) => {
      for (const button of buttons) button.click()
      return buttons.length
    })
    return left === 0
  })

/** Adds tests of the messages that a person reads in `locale` when a call fails. */
export function describeFailures(locale: Locale): void {
  describe(`in ${locale}`, () => {
    const texts = {
      'en-US': { network: 'Network error, please try again later', unknown: 'Something Wrong. Please try again!' },
      'zh-CN': { network: '网络错误，请稍后重试', unknown: '出错了，请重试！' },
    }[locale]

    it.each([
      ['HTTP 500', 500, envelope(codes.ok, '', {}), texts.network],
      ['an empty body', 200, '', texts.network],
      ['another code with a message', 200, envelope(codes.conflict, 'The lagoon is closed.'), 'The lagoon is closed.'],
      ['another code without a message', 200, envelope(codes.serverError), texts.unknown],
    ])('%s: the page says why it did not load, and loads again', async (_what, status, body, words) => {
      server.breakdown = breakAt(resourceInitNew.path, status, body)
      const tab = await openTab({ locale })
      const { page, app } = tab
      await page.goto('/')
      await untilLeftToPerson(resourceInitNew.path, words === texts.network ? tries : 1)
      const failure = page.getByRole('main').getByRole('alert')
      await failure.getByText(words, { exact: true }).waitFor()
      await app.button(app.t('failure.copyDetails')).waitFor()
      server.breakdown = undefined
      // In Chinese, the button of a cluster that failed has the same name.
      const unloaded = failure.filter({ has: app.button(app.t('failure.copyDetails')) })
      await retryUntilLoaded(app.button(app.t('failure.retry'), unloaded))
      await app.heading(running.name).waitFor()
    })

    it.each([
      ['HTTP 500', 500, '<html>', texts.network],
      ['a refusal', 200, envelope(codes.conflict, 'It is being moved.'), 'It is being moved.'],
      ['a refusal without a message', 200, envelope(codes.serverError), texts.unknown],
    ])(
      'an action answered with %s: its card says why until that is closed, and the action can be tried again',
      async (...row) => {
        const [, status, body, words] = row
        server.breakdown = breakAt(clusterStart.path, status, body)
        const tab = await openTab({ locale })
        const { page, app } = tab
        await page.goto('/')
        const card = app.card(stopped.name)
        await app.action('start', stopped.name).click()
        const failure = card.getByRole('alert')
        await failure.getByText(words, { exact: true }).waitFor()
        await app.button(app.t('failure.close'), card).click()
        await failure.waitFor({ state: 'hidden' })
        server.breakdown = undefined
        await app.action('start', stopped.name).click()
        await expect.poll(() => server.asked.filter((path) => path === clusterStart.path).length).toBe(2)
      },
    )

    // Spec §8: stop, start, restart, destroy and cancel answer no, and nothing is thrown.
    it.each([
      ['stop', running.name, clusterStop.path],
      ['restart', running.name, clusterRestart.path],
      ['destroyMaster', running.name, destroyMaster.path],
      ['cancel', queuing.name, cancelInstance.path],
    ] as const)(
      '%s that fails keeps its question open, with what was typed, and says why',
      async (action, name, path) => {
        server.breakdown = breakAt(path, 200, envelope(codes.conflict, 'A backup is under way.'))
        const tab = await openTab({ locale })
        const { page, app } = tab
        await page.goto('/')
        await app.button(app.t('common.more', { name }), app.card(name)).click()
        await page.getByRole('menuitem', { name: app.t(`action.${action}`) }).click()
        const dialog = page.getByRole('dialog')
        if (action === 'destroyMaster') await dialog.getByRole('textbox').fill(name)
        // The answer that goes on stands right of the safe one.
        await dialog.getByRole('button').last().click()
        await dialog.getByRole('alert').getByText('A backup is under way.', { exact: true }).waitFor()
        if (action === 'destroyMaster') expect(await dialog.getByRole('textbox').inputValue()).toBe(name)
        expect(tab.complaints).toEqual([])
      },
    )

    it('a refusal that names a field stands at the field, with what was typed, until that changes', async () => {
      const said = 'Another one is called so.'
      const refused = { code: codes.conflict, message: said, field: 'name' }
      server.breakdown = breakAt(clusterRename.path, 200, JSON.stringify(refused))
      const tab = await openTab({ locale })
      const { page, app } = tab
      await page.goto(`/cluster/${running.clusterId}?tab=settings`)
      await app.button(app.t('action.rename')).click()
      const dialog = page.getByRole('dialog')
      const name = dialog.getByLabel(app.t('create.name'), { exact: true })
      await name.fill('-')
      await name.press('Enter')
      await dialog.getByText(app.t('create.nameInvalid'), { exact: true }).waitFor()
      await name.fill('Nukuoro')
      await name.press('Enter')
      await dialog.getByText(said, { exact: true }).waitFor()
      expect(await name.inputValue()).toBe('Nukuoro')
      expect(await name.getAttribute('aria-invalid')).toBe('true')
      expect(await page.evaluate('document.activeElement.value')).toBe('Nukuoro')
      expect(await dialog.getByRole('alert').count()).toBe(0)
      await name.fill('Nukuoro 2')
      expect(await dialog.getByText(said, { exact: true }).count()).toBe(0)
      expect(tab.complaints).toEqual([])
    })

    it('401 is passed on without a word', async () => {
      server.breakdown = breakAt(clusterStart.path, 200, envelope(codes.silent, 'not to be shown'))
      const tab = await openTab({ locale })
      const { page, app } = tab
      await page.goto('/')
      const start = app.action('start', stopped.name)
      await start.click()
      await expect.poll(() => server.asked.includes(clusterStart.path)).toBe(true)
      // The button is free again: the answer has been read.
      await expect.poll(() => start.getAttribute('data-loading')).toBeNull()
      expect(await page.getByRole('alert').filter({ hasText: /\S/ }).count()).toBe(0)
      expect(await page.getByText('not to be shown').count()).toBe(0)
    })

    it('506 leads to signing in again from any call, once, with the way back', async () => {
      const tab = await openTab({ locale })
      const { page, app } = tab
      await page.goto('/')
      await app.card(running.name).waitFor()
      const session = sampleSession()
      server.breakdown = breakAt(clusterStart.path, 200, envelope(codes.signedOut, 'gone'))
      await app.action('start', stopped.name).click()
      await page.waitForURL(({ pathname }) => decodeURIComponent(pathname) === `/login/${session.userid}`)
      expect(new URL(page.url()).searchParams.get('redirect')).toBe('/')
      await page.getByText(app.t('login.sessionExpired'), { exact: true }).waitFor()
      expect(await page.evaluate<number>('history.length')).toBeLessThanOrEqual(3)
    })

    it('506 of an account that is no longer stored leads to /login', async () => {
      server.breakdown = (path) =>
        path === eventsPath || path.startsWith('/v2/user/')
          ? undefined
          : { status: 200, body: envelope(codes.signedOut) }
      const tab = await openTab({ locale, accounts: undefined })
      await tab.page.goto('/instance')
      await tab.page.waitForURL(({ pathname, search }) => pathname === '/login' && search.includes('redirect'))
      await tab.app.heading(tab.app.t('login.title')).waitFor()
    })

    it('an identity service that does not answer with 200 is reported where a known account signs in again', async () => {
      const session = { ...sampleSession(), expired: 1 }
      const { page, app } = await openTab({ locale, accounts: [session] })
      const notice = page.getByRole('status').getByText(texts.network, { exact: true })
      await page.goto(`/login/${session.userid}`)
      await app.heading(app.t('login.again')).waitFor()
      expect(await notice.count()).toBe(0)
      await page.route('**/get_name_by_did/**', (route) => route.fulfill({ status: 502, body: '' }))
      await page.reload()
      await notice.waitFor()
    })

    it('the sign-in page says that the server does not answer, and goes on when it does', async () => {
      server.breakdown = (path) => (path.startsWith('/v2/') ? { status: 503, body: '' } : undefined)
      const tab = await openTab({ locale, accounts: undefined })
      await tab.page.goto('/login')
      await tab.page.getByText(texts.network, { exact: true }).first().waitFor()
      server.breakdown = undefined
      await tab.page.getByText(texts.network, { exact: true }).first().waitFor({ state: 'hidden' })
      await tab.app.code().waitFor()
    })
  })
}
