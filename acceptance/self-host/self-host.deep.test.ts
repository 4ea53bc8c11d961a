/**
 * A cluster on a machine of its owner's own, in a network of its own: only outbound, and only to this server. The
 * command that the console shows is run there as it is; visitors come in over the relay. Each step builds on the one
 * before.
 */
import { randomBytes } from 'node:crypto'
import { connect } from 'node:net'
import { availableParallelism } from 'node:os'
import type { Locale } from '@atoll/contract/wire'
import {
  chooseServerPorts,
  makeOwnMachine,
  type OwnMachine,
  type ServerProcess,
  startServer,
  until,
  whyNoOwnMachine,
} from '@atoll/testkit'
import { statusLabels } from '@atoll/texts/statuses'
import type { Browser, Page } from 'playwright-core'
import { afterAll, beforeAll, describe, expect } from 'vitest'
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

const whyNot = whyNoOwnMachine()
if (whyNot) process.stdout.write(`SKIPPED  machines in networks of their own: ${whyNot}\n`)

const travellers: { locale: Locale; viewport: { width: number; height: number }; id: string; cluster: string }[] = [
  { locale: 'en-US', viewport: desktop, id: 'cove@atoll.test', cluster: 'Cove' },
  { locale: 'zh-CN', viewport: phone, id: 'wan@atoll.test', cluster: 'Wan' },
]
const password = 'two lamps on the far pier'

let server: ServerProcess
let harness: Browser
/** One for each traveller, and one that joins the first. */
const machines: OwnMachine[] = []

beforeAll(async () => {
  if (whyNot) return
  const first = await makeOwnMachine()
  machines.push(first)
  for (let count = 0; count < travellers.length; count += 1) machines.push(await makeOwnMachine({ beside: first }))
  const ports = await chooseServerPorts()
  const env = {
    // Browsers come over loopback, machines over their own wires.
    ATOLL_HOST: '0.0.0.0',
    ATOLL_ENROLL_URL: `http://${first.serverAddress}:${ports.console}`,
    ATOLL_SELF_HOST_SILENCE_SECONDS: '3',
  }
  ;[server, harness] = await Promise.all([startServer({ env, ports }), launchBrowser()])
})
afterAll(async () => {
  await harness?.close()
  await server?.dispose()
  for (const machine of machines) await machine[Symbol.asyncDispose]()
})

// Side by side: much of it is waiting until a machine is noticed.
const options = { concurrent: true, skip: whyNot !== undefined }
describe.each(travellers)('a machine at home, in $locale', options, ({ locale, viewport, id, cluster }) => {
  const at = travellers.findIndex((traveller) => traveller.locale === locale)
  let machine: OwnMachine
  let pocket: Camera
  let page: Page
  let screen: ReturnType<typeof consoleApp>
  let wallet: ReturnType<typeof walletApp>
  let command = ''

  const step = inSteps()
  const picture = picturesOf(`self-host-${locale}`)

  beforeAll(async () => {
    machine = machines[at] as OwnMachine // made above, one for each
    pocket = await launchWithCamera()
    const large = await openScreen(harness, { locale, viewport })
    const small = await openScreen(pocket.browser, { locale, viewport: phone, camera: true })
    page = large.page
    screen = consoleApp(page, locale)
    wallet = walletApp(small.page, locale)
  })
  afterAll(() => pocket?.[Symbol.asyncDispose]())

  step('1 its owner signs in', async () => {
    await wallet.createIdentity(server.walletUrl, id)
    await wallet.goHome()
    await screen.openSignIn(server.url)
    await pocket.pointAt(page)
    await wallet.scan('SignIn')
    await wallet.approve(await screen.matchNumber())
    await Promise.all([screen.waitUntilSignedIn(), wallet.waitUntilSigned()])
    await wallet.goHome()
  })

  step('2 and is shown one command, without a secret but its single-use token', async () => {
    const { t } = screen
    await screen
      .link(t('home.create'))
      .or(screen.link(t('shell.create')))
      .first()
      .click()
    await screen.heading(t('create.flavourTitle')).waitFor()
    await page.getByRole('radio', { name: t('create.selfHost') }).check()
    await screen.link(t('create.toReach')).click()
    await screen.heading(t('create.reachTitle')).waitFor()
    await screen.link(t('create.toReview')).click()
    await screen.heading(t('create.reviewTitle')).waitFor()
    await page.getByLabel(t('create.name'), { exact: true }).fill(cluster)
    await screen.button(t('create.do', { name: cluster })).click()
    const shown = page.locator('code').filter({ hasText: 'enroll.sh' })
    command = await shown.innerText()
    expect(command).toMatch(/^curl -fsSL http:\/\/198\.18\.\S+\/enroll\.sh \| ATOLL_ENROLL_TOKEN=[\w-]{43} sh$/)
    await picture(page, '2-command')
  })

  step('3 the machine, which nobody can call, appears by itself with what it has', async () => {
    expect(await canConnect(machine.address, server.ports.console)).toBe(false)
    const said = await machine.run(command)
    expect(said).toContain('This machine has joined.')
    await page.getByText(statusLabels[locale].inactivated, { exact: true }).first().waitFor()
    const cores = String(availableParallelism())
    await page
      .getByText(new RegExp(`\\b${cores} vCPU`))
      .first()
      .waitFor()
    expect(await canConnect(machine.address, 4880)).toBe(false)
    await picture(page, '3-appeared')
  })

  step('4 a second machine with the same command is refused', async () => {
    const thief = machines[travellers.length] as OwnMachine // made above, after the travellers'
    // In a folder of its own: it may be in another cluster.
    const line = `export ATOLL_DIR=${thief.folder}/thief-${at}; ${command}`
    await expect(thief.run(line)).rejects.toThrow(/enrollment refused|could not join/)
  })

  step('5 it is activated like any other, by a page that came over the relay', async () => {
    await page.goto(server.url)
    const { password: oneTime, wizard } = await screen.openActivation(cluster)
    await wizard.setViewportSize(viewport)
    const owned = personalServerApp(wizard, locale)
    await owned.enterOneTimePassword(oneTime)
    await pocket.pointAt(wizard)
    await wallet.scan('Activation')
    await wallet.approve()
    await Promise.all([wallet.waitUntilSigned(), owned.setPassword(password, cluster)])
    await wizard.close()
    await page.bringToFront()
    const box = screen.dialog(screen.t('dialog.activateTitle', { name: cluster }))
    await box.getByText(screen.t('dialog.activateDone', { name: cluster })).waitFor()
    await screen.button(screen.t('failure.close'), box).click()
    await screen.waitForStatus(cluster, 'running')
    await picture(page, '5-running')
  })

  step('6 files go there and come back', async () => {
    const [opened] = await Promise.all([
      page.context().waitForEvent('page'),
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
    const content = randomBytes(2_000_000)
    await owned.upload('tide.bin', content)
    expect((await owned.download('tide.bin')).equals(content)).toBe(true)
    await opened.close()
  })

  const joins = async () => {
    const other = machines[travellers.length] as OwnMachine // made above, after the travellers'
    const { t } = screen
    await screen.button(t('common.more', { name: cluster }), screen.card(cluster)).click()
    await page.getByRole('menuitem', { name: t('action.addMachine') }).click()
    const box = screen.dialog(t('join.addTitle', { name: cluster }))
    await screen.button(t('join.show'), box).click()
    await other.run(await box.locator('code').filter({ hasText: 'enroll.sh' }).innerText())
    await box.getByText(t('join.joinedText'), { exact: true }).waitFor()
    await screen.button(t('failure.close'), box).click()
    const cores = String(2 * availableParallelism())
    await screen
      .card(cluster)
      .getByText(new RegExp(`\\b${cores} vCPU`))
      .first()
      .waitFor()
    await picture(page, '7-worker')
  }
  // Once is enough: the machine can be in one cluster.
  if (at === 0) step('7 another machine joins it as a worker', joins)

  let uninstall = ''
  step('8 without power it is offline, and the same command brings it back', async () => {
    await machine.cutPower()
    await screen.waitForStatus(cluster, 'offline')
    const [label = ''] = id.split('@')
    const visitor = await page.context().newPage()
    const visit = () => visitor.goto(`http://${label}.atoll.localhost:${server.ports.edge}/`)
    // Its connection may outlast its power by a moment.
    await until('visitors read that it is away', async () => (await visit())?.status() === 503)
    await keepPicture(visitor, `self-host-${locale}-8-visitor`)
    await visitor.close()
    await picture(page, '8-offline')
    // Its token is spent; the machine knows who it is.
    const said = await machine.run(command)
    expect(said).toContain('This machine has joined.')
    uninstall = /To remove it: (.*)/.exec(said)?.[1] ?? ''
    expect(uninstall).toContain(`ATOLL_DIR=${machine.folder}/atoll `)
    await screen.waitForStatus(cluster, 'running')
  })

  step('9 leaves no program behind when it is taken out', async () => {
    const said = await machine.run(uninstall)
    expect(said).toContain('The files are still in')
    await screen.waitForStatus(cluster, 'offline')
  })
})

/** Whether anything accepts there within a second. */
async function canConnect(host: string, port: number): Promise<boolean> {
  const { promise, resolve } = Promise.withResolvers<boolean>()
  const socket = connect({ host, port, timeout: 1000 })
  socket.once('connect', () => resolve(true))
  for (const event of ['error', 'timeout'] as const) socket.once(event, () => resolve(false))
  const answer = await promise
  socket.destroy()
  return answer
}
