/**
 * A custom domain in real browsers, from the wish to the ID and back: the console on a desk and our wallet on a phone
 * beside it, real records at real name servers of others (NSD, Unbound), our own name server, and an authority (Pebble)
 * that believes it.
 */
import { createHash, X509Certificate } from 'node:crypto'
import { once } from 'node:events'
import { connect } from 'node:tls'
import { domainDetail, toDomainBase } from '@atoll/contract/domains'
import type { Locale } from '@atoll/contract/wire'
import {
  type DnsLab,
  findFreePorts,
  findFreeUdpPorts,
  type Pebble,
  type ServerProcess,
  startDnsLab,
  startPebble,
  startServer,
  until,
  whyNoDnsLab,
} from '@atoll/testkit'
import type { Browser, Page } from 'playwright-core'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { findBarriers } from './stack/accessibility.ts'
import { personalServerApp } from './stack/apps/personal-server-app.ts'
import { walletApp } from './stack/apps/wallet-app.ts'
import { desktop, keepPicture, launchBrowser, openScreen, phone } from './stack/browser.ts'
import { createRunningCluster } from './stack/clusters.ts'
import { type ConsoleTab, openTab } from './stack/console-tab.ts'
import { createPerson } from './stack/people.ts'

const missing = whyNoDnsLab()
const parent = 'lagoon.example'
const nameServers = ['ns1.host.example', 'ns2.host.example'] as const
/** Both walks share two cores with whatever else runs. */
const patience = 240_000

describe.skipIf(missing !== undefined)(`with a DNS of its own${missing ? ` (skipped: ${missing})` : ''}`, () => {
  let lab: DnsLab
  let pebble: Pebble
  let server: ServerProcess
  let browser: Browser
  let tlsPort: number
  beforeAll(async () => {
    lab = await startDnsLab(['example', parent, 'host.example'])
    const [dnsPort = 0] = await findFreeUdpPorts(1)
    const [console = 0, wallet = 0, edge = 0, vault = 0, tls = 0] = await findFreePorts(5)
    tlsPort = tls
    pebble = await startPebble({ dnsServer: `127.0.0.1:${dnsPort}`, httpPort: edge })
    const env = {
      // The wallet links itself here too.
      ATOLL_REQUIRE_MATCH_NUMBER: 'true',
      ATOLL_RESOLVERS: lab.resolvers.map(({ name, address }) => `${name}=${address}`).join(','),
      ATOLL_NAME_SERVERS: nameServers.map((host) => `${host}=127.0.0.1@${dnsPort}`).join(','),
      ATOLL_DNS_PORT: String(dnsPort),
      ATOLL_EDGE_ADDRESSES: '192.0.2.40',
      ATOLL_EDGE_TLS_PORT: String(tls),
      ATOLL_ACME_DIRECTORY: pebble.directory,
      ATOLL_ACME_CA_FILE: pebble.caFile,
    }
    const ports = { console, wallet, edge, vault }
    ;[server, browser] = await Promise.all([startServer({ env, ports, timeoutMs: 150_000 }), launchBrowser()])
  }, patience)
  afterAll(async () => {
    await browser?.close()
    await server?.dispose()
    await pebble?.[Symbol.asyncDispose]()
    await lab?.[Symbol.asyncDispose]()
  })

  /** A wallet on a phone that has these words, without an ID. */
  async function openWallet(locale: Locale, mnemonic: string) {
    const scheme = locale === 'zh-CN' ? 'dark' : 'light'
    const { page } = await openScreen(browser, { locale, viewport: phone, scheme })
    const wallet = walletApp(page, locale)
    await wallet.importIdentity(server.walletUrl, mnemonic)
    return { page, wallet }
  }

  /** Somebody without an ID, whose wallet lies beside the console. */
  async function arrive(locale: Locale) {
    const person = await createPerson(server.url, { name: null, withNumber: true })
    const tab = await openTab(browser, server.url, { locale, viewport: desktop, accounts: [person.session] })
    return { ...person, tab, phone: await openWallet(locale, person.wallet.mnemonic) }
  }
  type Owner = Awaited<ReturnType<typeof arrive>>

  const step = ({ page }: ConsoleTab, status: string) =>
    page.locator('main').getByText(status, { exact: true }).waitFor()
  /** Presses as soon as five seconds have passed since the last time. */
  const checkNow = ({ page, app }: ConsoleTab) =>
    page.locator('button:not([aria-disabled=true])', { hasText: app.t('domains.checkNow') }).click()
  const picture = async (page: Page, name: string) => {
    await keepPicture(page, `domain-${name}`)
    expect.soft(await findBarriers(page), name).toEqual([])
  }

  /** The records of a kind that the page shows, as lines of a zone file. */
  async function readRecords({ page }: ConsoleTab, type: 'TXT' | 'NS' | 'CNAME'): Promise<string[]> {
    const rows = page.locator('[aria-labelledby=records] tbody tr').filter({ hasText: type })
    await rows.first().waitFor()
    const texts = await Promise.all((await rows.all()).map((row) => row.locator('code').allInnerTexts()))
    return texts.map(([name = '', value = '']) => {
      return type === 'TXT' ? `${name}. TXT "${value}"` : `${name}. ${type} ${value}.`
    })
  }

  /** What the wallet signs, from its link to the credential that is presented. */
  async function signInWallet({ tab, phone: { page, wallet } }: Owner, domain: string): Promise<void> {
    const { t, press, heading } = wallet
    await heading(t('domain.linkTitle'))
    await page.getByText(domain, { exact: true }).waitFor()
    await press(t('domain.link'))
    await heading(t('domain.WAIT_REQUEST_VC'))
    await press(t('approve.show'))
    await page.getByText(`"domain": "${domain}"`).waitFor()
    await picture(page, `${domain}-wallet-apply`)
    await press(t('domain.apply'))
    await Promise.all([heading(t('domain.WAIT_SUBMIT_VP')), step(tab, 'WAIT_SUBMIT_VP')])
    await picture(page, `${domain}-wallet-present`)
    await press(t('domain.present'))
    await Promise.all([heading(t('domain.WAIT_RULE_SET')), step(tab, 'WAIT_RULE_SET')])
    await picture(page, `${domain}-wallet-rule`)
  }

  /** Takes the first ID; both screens go on by themselves. */
  async function takeName({ tab, phone: { page, wallet } }: Owner, local: string, domain: string): Promise<void> {
    const { t, press, heading } = wallet
    await Promise.all([heading(t('domain.BIND')), step(tab, 'BIND')])
    await tab.page.getByText(tab.app.t('domains.gmail'), { exact: true }).waitFor()
    await page.getByLabel(t('bind.label'), { exact: true }).fill(local)
    await picture(page, `${domain}-wallet-id`)
    await press(t('domain.takeName'))
    await heading(t('domain.ALLOCATED'))
    await tab.page.getByText(`${local}@${domain}`, { exact: true }).first().waitFor()
  }

  async function readCredential({ page, wallet }: Owner['phone'], standing: 'valid' | 'revoked'): Promise<void> {
    await page.getByRole('link', { name: wallet.t('act.close') }).click()
    await wallet.press(wallet.t('credentials.title'))
    await page.getByText(wallet.t(`credentials.${standing}`), { exact: true }).waitFor()
  }

  /** Opens the domain in a wallet that was closed meanwhile. */
  async function openInWallet({ page, wallet }: Owner['phone'], domain: string): Promise<void> {
    const { t, press, heading } = wallet
    await page.goto(`${server.walletUrl}/domain/${toDomainBase(domain)}`)
    await page.getByRole('group', { name: t('passcode.keypad') }).waitFor()
    await wallet.typePasscode()
    await heading(t('domain.linkTitle'))
    await press(t('domain.link'))
  }

  /** From the offer to the heir's own page: both sign. */
  async function handOn(
    { tab: { page, app }, phone: pocket }: Pick<Owner, 'tab' | 'phone'>,
    heir: Pick<Owner, 'tab' | 'phone'>,
    { domain, name }: { domain: string; name: string },
  ): Promise<void> {
    await app.button(app.t('domains.transfer.act')).click()
    const dialog = page.getByRole('dialog')
    await dialog.locator(`option[value=${name}]`).waitFor({ state: 'attached' })
    await dialog.getByRole('combobox').fill(name)
    await picture(page, 'offering')
    await app.button(app.t('domains.transfer.offer'), dialog).click()
    await page.getByText(app.t('domains.transfer.waitsForYou')).waitFor()
    await picture(page, 'offered')
    await heir.tab.page.goto('/domains')
    await heir.tab.page.getByRole('button', { name: app.t('domains.transfer.decline') }).waitFor()
    await picture(heir.tab.page, 'offer')

    await openInWallet(pocket, domain)
    await pocket.wallet.heading(pocket.wallet.t('domain.handOn'))
    await picture(pocket.page, 'wallet-hand-on')
    await pocket.wallet.press(pocket.wallet.t('domain.handOnSign'))
    await page.getByText(app.t('domains.transfer.waitsForThem')).waitFor()

    const { page: screen, wallet } = heir.phone
    await openInWallet(heir.phone, domain)
    await wallet.heading(wallet.t('domain.takeOver'))
    await picture(screen, 'wallet-take-over')
    await wallet.press(wallet.t('domain.takeOverSign'))
    await wallet.heading(wallet.t('domain.ALLOCATED'))
    // Whoever had it keeps the ID and no page.
    await app.heading(app.t('domains.goneTitle')).waitFor()
    await heir.tab.page.goto(`/domain/${toDomainBase(domain)}`)
    await heir.tab.page.getByText(`${name}@${domain}`, { exact: true }).first().waitFor()
  }

  async function giveUp({ page, app }: ConsoleTab, domain: string): Promise<void> {
    await app.button(app.t('domains.giveUp')).click()
    const question = page.getByRole('dialog')
    await question.getByRole('textbox').fill(domain)
    await app.button(app.t('domains.remove'), question).click()
    await page.waitForURL((url) => url.pathname === '/domains')
    await app.heading(app.t('domains.emptyTitle')).waitFor()
    await page.goto(`/domain/${toDomainBase(domain)}`)
    await app.heading(app.t('domains.goneTitle')).waitFor()
  }

  /** A handshake that trusts Pebble's root alone: the certificate that stands between it and the host's. */
  async function handshake(servername: string): Promise<X509Certificate> {
    const socket = connect({ host: '127.0.0.1', port: tlsPort, servername, ca: await pebble.root() })
    await once(socket, 'secureConnect')
    const { issuerCertificate } = socket.getPeerCertificate(true)
    socket.destroy()
    return new X509Certificate(issuerCertificate.raw)
  }

  it('is handed over, opened over HTTPS and given up, in English', { timeout: patience }, async () => {
    const domain = `cloud.${parent}`
    const owner = await arrive('en-US')
    const { tab, api, phone: pocket } = owner
    const { page, app } = tab

    await page.goto('/domains')
    await app.button(app.t('domains.begin')).click()
    await page.getByText(app.t('domains.missing'), { exact: true }).waitFor()
    const field = page.getByLabel(app.t('domains.domain'), { exact: true })
    await field.fill('co.uk')
    await app.button(app.t('domains.begin')).click()
    await page.getByText(/co\.uk/).waitFor()
    await field.fill(`https://${domain}/`)
    await app.button(app.t('domains.begin')).click()
    await page.getByText(/https:\/\//).waitFor()
    await field.fill('Cloud.Lagoon.Example')
    await app.button(app.t('domains.begin')).click()
    await app.heading(domain).waitFor()
    expect(new URL(page.url()).pathname).toBe(`/domain/${toDomainBase(domain)}`)

    const [txt = ''] = await readRecords(tab, 'TXT')
    expect(txt).toMatch(/^_atoll-[0-9a-f]{8}\.lagoon\.example\. TXT "atoll-verify=[a-z2-7]{26}"$/)
    const last = txt.at(-2) ?? ''
    const wrong = last === '7' ? 'a' : '7'
    await lab.setZone(parent, [`${txt.slice(0, -2)}${wrong}"`])
    await checkNow(tab)
    await page.getByText(app.t('domains.trouble.nearly', { type: 'TXT' })).waitFor()
    await page.getByRole('status').locator('mark', { hasText: wrong }).waitFor()
    await page.getByRole('status').locator('mark', { hasText: last }).waitFor()
    // Off the button, whose tip says when it can be pressed again.
    await page.mouse.move(0, 0)
    await picture(page, 'letter')

    await lab.setZone(parent, [txt])
    await checkNow(tab)
    await step(tab, 'WAIT_NS')
    const delegation = await readRecords(tab, 'NS')
    expect(delegation).toEqual(nameServers.map((host) => `${domain}. NS ${host}.`))
    await lab.setZone(parent, [delegation[0] ?? '', 'cloud NS ns2.hosts.example.'])
    await checkNow(tab)
    await page.getByText(app.t('domains.trouble.otherServers')).waitFor()
    await keepPicture(page, 'domain-other-servers')
    await lab.setZone(parent, delegation)
    await checkNow(tab)
    await step(tab, 'WAIT_REQUEST_VC')
    await page.getByRole('img', { name: app.t('domains.code') }).waitFor()
    await keepPicture(page, 'domain-apply')

    // What the code says is the link beside it.
    const link = await app.link(app.t('domains.openWallet')).getAttribute('href')
    await pocket.wallet.pasteCode(link ?? '')
    await signInWallet(owner, domain)

    const suffixes = page.getByLabel(app.t('domains.suffixes'), { exact: true })
    await suffixes.fill('mail.example, com')
    await app.button(app.t('domains.ruleSave')).click()
    await page.getByText(/Anybody can have an email under com\./).waitFor()
    await suffixes.fill('mail.example, @lagoon.example')
    await app.button(app.t('domains.ruleSave')).click()
    await takeName(owner, 'lena', domain)
    await page.getByText('@lagoon.example').waitFor()
    await picture(page, 'in-use')

    await createRunningCluster(api)
    await page.getByText(app.t('domains.https.valid'), { exact: true }).waitFor({ timeout: 60_000 })
    // HTTPS is asked for both certificates; either may be the later one.
    await until('HTTPS stands', async () => (await api.ask(domainDetail, { domain })).https.state === 'valid')
    const between = await handshake(`lena.${domain}`)
    const key = createHash('sha256')
      .update(between.publicKey.export({ type: 'spki', format: 'der' }))
      .digest('base64')
    const visitors = await launchBrowser([
      `--host-resolver-rules=MAP *.${parent} 127.0.0.1:${tlsPort}`,
      // A browser's own list of roots cannot be added to from outside; the chain to Pebble's root was verified above.
      `--ignore-certificate-errors-spki-list=${key}`,
    ])
    for (const host of [`lena.${domain}`, `files.lena.${domain}`]) {
      const visit = await openScreen(visitors, { locale: 'en-US', viewport: desktop })
      await visit.page.goto(`https://${host}/`)
      const owned = personalServerApp(visit.page, 'en-US')
      await owned.heading(owned.t('wizard.passwordTitle')).waitFor()
      expect(new URL(visit.page.url()).host).toBe(host)
      expect(visit.complaints).toEqual([])
    }
    await visitors.close()

    await giveUp(tab, domain)
    await expect(handshake(`lena.${domain}`)).rejects.toThrow()
    await readCredential(pocket, 'revoked')
    await picture(pocket.page, 'wallet-revoked')
    expect(tab.complaints).toEqual([])
  })

  it('points here by CNAME, and somebody invited joins it, in Chinese', { timeout: patience }, async () => {
    const domain = `team.${parent}`
    const owner = await arrive('zh-CN')
    const { tab, phone: pocket } = owner
    const { page, app } = tab
    await page.goto('/domains')
    await page.getByLabel(app.t('domains.domain'), { exact: true }).fill(domain)
    await app.button(app.t('domains.begin')).click()
    const proof = await readRecords(tab, 'TXT')
    await lab.setZone(parent, proof)
    await checkNow(tab)
    await step(tab, 'WAIT_NS')
    await app.button(app.t('domains.useCname')).click()
    await app.button(app.t('domains.useCname'), page.getByRole('dialog')).click()
    const pointer = await readRecords(tab, 'CNAME')
    expect(pointer).toEqual([expect.stringMatching(/^\*\.team\.lagoon\.example\. CNAME /)])
    await lab.setZone(parent, [...proof, ...pointer])
    await checkNow(tab)
    await step(tab, 'WAIT_REQUEST_VC')

    // The link itself, on the phone that has the wallet.
    await pocket.page.goto(`${server.walletUrl}/domain/${toDomainBase(domain)}`)
    await pocket.page.getByRole('group', { name: pocket.wallet.t('passcode.keypad') }).waitFor()
    await pocket.wallet.typePasscode()
    await signInWallet(owner, domain)
    const ruled = pocket.wallet.t('domain.rule_specified_email_address')
    await pocket.page.getByRole('radio', { name: ruled }).check()
    await pocket.wallet.press(pocket.wallet.t('domain.ruleSave'))
    await takeName(owner, 'mei', domain)
    await readCredential(pocket, 'valid')
    await picture(pocket.page, 'wallet-valid')

    await app.button(app.t('domains.members.invite')).click()
    const dialog = page.getByRole('dialog')
    await dialog.getByLabel(app.t('domains.members.name'), { exact: true }).fill('kai')
    await app.button(app.t('domains.members.invite'), dialog).click()
    await app.heading(app.t('domains.members.toldTitle', { name: 'kai' })).waitFor()
    const password = await dialog
      .locator('dl > div')
      .filter({ hasText: app.t('domains.members.password') })
      .locator('dd > span')
      .first()
      .innerText()
    expect(password).toMatch(/^[0-9a-z]{12}$/)
    await picture(page, 'invited')
    await app.button(app.t('domains.members.done'), dialog).click()

    const member = await createPerson(server.url, { name: null, withNumber: true })
    const other = await openWallet('zh-CN', member.wallet.mnemonic)
    const { t, press, heading } = other.wallet
    await press(t('join.title'))
    for (const [label, value] of [
      ['domain', domain],
      ['name', 'kai'],
      ['password', password],
    ] as const)
      await other.page.getByLabel(t(`join.${label}`), { exact: true }).fill(value)
    await picture(other.page, 'wallet-join')
    await press(t('join.submit'))
    await heading(t('join.done', { name: `kai@${domain}` }))
    await page.getByText(`kai@${domain}`, { exact: true }).waitFor()
    await page.getByText(app.t('domains.members.is.joined'), { exact: true }).waitFor()
    await picture(page, 'member')

    const heir = await openTab(browser, server.url, { locale: 'zh-CN', viewport: desktop, accounts: [member.session] })
    await handOn(owner, { tab: heir, phone: other }, { domain, name: 'kai' })
    await giveUp(heir, domain)
    expect([...tab.complaints, ...heir.complaints]).toEqual([])
  })
})
