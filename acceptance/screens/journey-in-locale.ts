/**
 * The eight steps of a new user, in a real browser, with the wallet in a second, phone-sized one that reads the code
 * from the console's screen through its camera. Each step builds on the one before.
 */
import { randomBytes } from 'node:crypto'
import { codeToFragment } from '@atoll/contract/identity'
import type { Locale } from '@atoll/contract/wire'
import {
  createSignInCode,
  listInstanceFolders,
  listInstances,
  type ServerProcess,
  startServer,
  until,
} from '@atoll/testkit'
import type { Browser, Page } from 'playwright-core'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { picturesOf } from '../stack/accessibility.ts'
import { consoleApp } from '../stack/apps/console-app.ts'
import { personalServerApp } from '../stack/apps/personal-server-app.ts'
import { walletApp } from '../stack/apps/wallet-app.ts'
import {
  type Camera,
  desktop,
  keepPicture,
  launchBrowser,
  launchWithCamera,
  openScreen,
  phone,
} from '../stack/browser.ts'
import { inSteps } from '../stack/steps.ts'

interface Traveller {
  viewport: { width: number; height: number }
  id: string
  cluster: string
}

const travellers: Record<Locale, Traveller> = {
  'en-US': { viewport: desktop, id: 'reef@atoll.test', cluster: 'Rangiroa' },
  'zh-CN': { viewport: phone, id: 'jiao@atoll.test', cluster: 'Takapoto' },
}
const password = 'three quiet lagoons at dusk'
/** An element, as much of it as is read; these files know no DOM. */
interface Styled {
  style: { background: string }
}
/** The colour of the first person that `page` shows; nobody but the traveller is on these pages. */
const colourIn = (page: Page) =>
  page
    .locator('[data-letter]')
    .first()
    .evaluate((avatar): string => (avatar as unknown as Styled).style.background)

let server: ServerProcess
let harness: Browser
let pocket: Camera
beforeAll(async () => {
  ;[server, harness, pocket] = await Promise.all([startServer(), launchBrowser(), launchWithCamera()])
})
afterAll(async () => {
  await harness?.close()
  await pocket?.[Symbol.asyncDispose]()
  await server?.dispose()
})

/** The whole journey of a person who reads `locale`: two describe blocks of the file that calls it. */
export function describeJourney(locale: Locale): void {
  const { viewport, id, cluster } = travellers[locale]

  describe(`a new user in ${locale} at ${viewport.width} px`, () => {
    let consolePage: Page
    let walletPage: Page
    let complaints: string[]
    let screen: ReturnType<typeof consoleApp>
    let instanceId: string
    /** Of the traveller's DID, the same in every front end. */
    let colour: string
    /** The processes of this traveller's instance; the other one may have left one behind. */
    const processes = () => listInstances(server.dataDir).filter((instance) => instance.instanceId === instanceId)
    let wallet: ReturnType<typeof walletApp>
    const picture = picturesOf(`journey-${locale}`)
    const step = inSteps()

    beforeAll(async () => {
      const large = await openScreen(harness, { locale, viewport, fetchesAhead: true })
      const small = await openScreen(pocket.browser, { locale, viewport: phone, camera: true })
      consolePage = large.page
      walletPage = small.page
      complaints = large.complaints
      screen = consoleApp(consolePage, locale)
      wallet = walletApp(walletPage, locale)
    })

    step('1 opens the console and sees a large code with its countdown', async () => {
      await screen.openSignIn(server.url)
      const size = await screen.code().boundingBox()
      expect(size?.width).toBeGreaterThanOrEqual(240)
      const left = await consolePage.getByRole('timer').innerText()
      expect(left).toMatch(/(2:00|1:[3-5]\d)/)
      await picture(consolePage, '1-sign-in')
    })

    step('2 makes an identity in the wallet and binds an ID', async () => {
      const { words } = await wallet.createIdentity(server.walletUrl, id)
      expect(words).toHaveLength(12)
      await picture(walletPage, '2-bound')
      await wallet.goHome()
    })

    step('3 signs in by scanning', async () => {
      // A fresh code: making the identity may have taken longer than a code lives.
      await screen.openSignIn(server.url)
      await pocket.pointAt(consolePage)
      await wallet.scan('SignIn')
      expect(await walletPage.getByRole('main').innerText()).toContain(new URL(server.url).host)
      await picture(walletPage, '3-approve')
      await wallet.approve(await screen.matchNumber())
      await Promise.all([screen.waitUntilSignedIn(), wallet.waitUntilSigned()])
      await picture(walletPage, '3-signed')
      await picture(consolePage, '3-home')
      await wallet.goHome()
      colour = await colourIn(walletPage)
      expect(await colourIn(consolePage)).toBe(colour)
    })

    step('4 creates a cluster and watches it come up without a reload', async () => {
      const known = listInstances(server.dataDir).map((instance) => instance.pid)
      await screen.createCluster(cluster)
      await screen.card(cluster).waitFor()
      await consolePage.evaluate('window.isSamePage = true')
      await picture(consolePage, '4-created')
      await screen.waitForStatus(cluster, 'inactivated')
      instanceId = listInstances(server.dataDir).find(({ pid }) => !known.includes(pid))?.instanceId ?? ''
      expect(processes()).toHaveLength(1)
      expect(await consolePage.evaluate('window.isSamePage')).toBe(true)
      await picture(consolePage, '4-pending-activation')
    })

    step('5 activates it with the one-time password and the wallet', async () => {
      const activation = await screen.openActivation(cluster)
      await picture(consolePage, '5-dialog')
      const { wizard } = activation
      await wizard.setViewportSize(viewport)
      const owned = personalServerApp(wizard, locale)
      await owned.enterOneTimePassword(activation.password, { carried: true })
      await pocket.pointAt(wizard)
      await picture(wizard, '5-wizard')
      await wallet.scan('Activation')
      expect(await walletPage.getByRole('main').innerText()).toContain(new URL(wizard.url()).host)
      await picture(walletPage, '5-approve')
      await wallet.approve()
      await Promise.all([wallet.waitUntilSigned(), owned.setPassword(password, cluster)])
      await picture(wizard, '5-done')
      await wizard.close()
      await consolePage.bringToFront()
      const box = screen.dialog(screen.t('dialog.activateTitle', { name: cluster }))
      await box.getByText(screen.t('dialog.activateDone', { name: cluster })).waitFor()
      await screen.button(screen.t('failure.close'), box).click()
      await screen.waitForStatus(cluster, 'running')
      expect(await consolePage.evaluate('window.isSamePage')).toBe(true)
      await picture(consolePage, '5-running')
    })

    step('6 opens its address, signs in, uploads a file and gets it back', async () => {
      const [opened] = await Promise.all([
        consolePage.context().waitForEvent('page'),
        screen
          .link(screen.t('common.actOn', { action: screen.t('cluster.open'), name: cluster }), screen.card(cluster))
          .click(),
      ])
      await opened.setViewportSize(viewport)
      const [label = ''] = id.split('@')
      expect(new URL(opened.url()).host).toBe(`${label}.atoll.localhost:${server.ports.edge}`)
      const owned = personalServerApp(opened, locale)
      await owned.signOut()
      await owned.signIn(id, password)
      expect(await colourIn(opened)).toBe(colour)
      const content = randomBytes(300_000)
      await owned.upload('chart.bin', content)
      await picture(opened, '6-files')
      expect((await owned.download('chart.bin')).equals(content)).toBe(true)
      await opened.close()
      expect(complaints).toEqual([])
    })

    step('7 stops, starts and restarts it', async () => {
      await screen.act(cluster, 'stop')
      await screen.waitForStatus(cluster, 'stopped')
      expect(processes()).toEqual([])
      await picture(consolePage, '7-stopped')
      await screen.act(cluster, 'start')
      await screen.waitForStatus(cluster, 'running')
      const [before] = processes()
      await screen.act(cluster, 'restart')
      await until('another process of the instance runs', () => processes().some(({ pid }) => pid !== before?.pid))
      await screen.waitForStatus(cluster, 'running')
    })

    step('8 loses nothing when the server is killed, or stopped, in the middle', async () => {
      await screen.act(cluster, 'stop')
      await server.kill('SIGKILL')
      await server.restart()
      await screen.waitForStatus(cluster, 'stopped')
      await screen.act(cluster, 'start')
      await server.kill('SIGINT')
      await server.restart()
      await screen.waitForStatus(cluster, 'running')
      expect(await consolePage.evaluate('window.isSamePage')).toBe(true)
      await consolePage.reload()
      await screen.waitForStatus(cluster, 'running')
      expect(processes()).toHaveLength(1)
    })

    step('7 destroys it by typing its name, and nothing is left', async () => {
      await screen.destroy(cluster)
      await screen.card(cluster).waitFor({ state: 'detached' })
      await picture(consolePage, '7-destroyed')
      expect(processes()).toEqual([])
      expect(listInstanceFolders(server.dataDir)).not.toContain(instanceId)
    })

    step('signs in again by pasting the text of the code', async () => {
      await screen.signOut(id)
      const text = await screen.copyCode()
      const number = await screen.matchNumber()
      await pocket.lookAway()
      await wallet.goHome()
      await wallet.pasteCode(text)
      await wallet.approve(number)
      await Promise.all([screen.waitUntilSignedIn(), wallet.waitUntilSigned()])
    })

    step('is told by the wallet that a code is too old, and cannot approve it', async () => {
      await wallet.goHome()
      await wallet.pasteCode(createSignInCode(server.url, { time: Date.now() - 130_000 }).text)
      await walletPage.getByText(wallet.t('approve.expired'), { exact: true }).waitFor()
      expect(await walletPage.getByRole('button', { name: wallet.t('approve.approve'), exact: true }).count()).toBe(0)
      await picture(walletPage, '9-too-old')
    })
  })

  describe(`a code that is too old, in ${locale}`, () => {
    it('is renewed while it is looked at, then blurred with its text, and refreshed by the button', async () => {
      const { page, context } = await openScreen(harness, { locale, viewport })
      const screen = consoleApp(page, locale)
      await page.clock.install()
      await screen.openSignIn(server.url)
      const first = await screen.copyCode()
      await page.clock.fastForward(121_000)
      const link = page.locator(`a[href$=${JSON.stringify(codeToFragment(first))}]`).first()
      await link.waitFor({ state: 'detached' })
      expect(await screen.copyCode()).not.toBe(first)
      await page.clock.fastForward(600_000)
      await page.getByText(screen.t('login.expired'), { exact: true }).first().waitFor()
      await keepPicture(page, `expired-${locale}`)
      expect(await screen.code().count()).toBe(0)
      await screen.button(screen.t('login.refresh')).click()
      await screen.code().waitFor()
      expect(await screen.copyCode()).not.toBe(first)
      await context.close()
    })
  })
}
