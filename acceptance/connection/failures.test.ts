/** First loads and actions that fail otherwise than by the error catalogue (spec §8), which `failures.deep` walks. */
import { emailShow, sessionList } from '@atoll/contract/accounts'
import { auditPage } from '@atoll/contract/audit'
import { clusterStart, instanceList, resourceInitNew } from '@atoll/contract/clusters'
import { codes, eventsPath } from '@atoll/contract/wire'
import { expect, it } from 'vitest'
import { envelope } from '../stack/scripted-console.ts'

import { openTab, retryUntilLoaded, running, server, stopped, untilLeftToPerson } from './failures-in-locale.ts'

it.each([
  ['/', resourceInitNew],
  ['/instance', instanceList],
  ['/create', resourceInitNew],
  ['/profile', emailShow],
  ['/sessions', sessionList],
  ['/activity', auditPage],
])('401 on the first load of %s: what is not there and how to ask again, not a word more', async (path, call) => {
  const silent = { status: 200, body: envelope(codes.silent, 'not to be shown') }
  server.breakdown = (asked) => (asked === eventsPath ? undefined : silent)
  const tab = await openTab()
  const { page, app } = tab
  await page.goto(path)
  await untilLeftToPerson(call.path)
  const retry = app.button(app.t('failure.retry'))
  await retry.first().waitFor()
  expect(await page.getByText('not to be shown').count()).toBe(0)
  expect(await page.getByText(app.t('failure.unknown')).count()).toBe(0)
  server.breakdown = undefined
  await retryUntilLoaded(retry)
})

it('a server that does not even answer its names offers to try again', async () => {
  const tab = await openTab()
  const { page, app } = tab
  await page.route('/', async (route) => {
    const response = await route.fetch()
    const body = (await response.text()).replace(/<meta name="runtime-config"[^>]*>/, '')
    await route.fulfill({ response, body })
  })
  await page.route('**/config.json', (route) => route.abort())
  await page.goto('/')
  await page.getByText('Network error, please try again later', { exact: true }).waitFor()
  await page.unroute('**/config.json')
  await app.button(app.t('failure.retry')).click()
  await app.card(running.name).waitFor()
})

it('a call that hangs is given up when the page is left, and nothing is shown of it', async () => {
  const tab = await openTab()
  const { page, app, complaints } = tab
  await page.goto('/')
  await page.route(`**${clusterStart.path}`, () => new Promise(() => undefined))
  const asked = page.waitForRequest(`**${clusterStart.path}`)
  await app.action('start', stopped.name).click()
  await asked
  await page.goto('/login')
  await app.code().waitFor()
  expect(complaints).toEqual([])
})
