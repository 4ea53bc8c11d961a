/**
 * A custom domain in real browsers, from its order to the ID and back: the console on a desk and our wallet on a phone
 * beside it, real records at real name servers of others (NSD, Unbound), our own name server, and an authority (Pebble)
 * that believes it.
 */
import { createHash, X509Certificate } from 'node:crypto'
import { once } from 'node:events'
import { connect } from 'node:tls'
import { domainDetail, toDomainBase } from '@atoll/contract/domains'
import {
  type DnsLab,
  findFreePorts,
  type Pebble,
  type ServerProcess,
  startDnsLab,
  startPebble,
  startServer,
  until,
  whyNoDnsLab,
} from '@atoll/testkit'
import type { Browser } from 'playwright-core'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { domainWalk } from '../stack/apps/domain-walk.ts'
import { personalServerApp } from '../stack/apps/personal-server-app.ts'
import { desktop, keepPicture, launchBrowser, openScreen } from '../stack/browser.ts'
import { createRunningCluster } from '../stack/clusters.ts'
import { openTab } from '../stack/console-tab.ts'
import { createPerson } from '../stack/people.ts'

const missing = whyNoDnsLab()
const parent = 'lagoon.example'
const nameServers = ['ns1.host.example', 'ns2.host.example'] as const

/** One of the two walks: `alone`, an owner's; `together`, with somebody invited who takes the domain over. */
export function describeDomainWalk(which: 'alone' | 'together'): void {
  describe.skipIf(missing !== undefined)(`with a DNS of its own${missing ? ` (skipped: ${missing})` : ''}`, () => {
    let lab: DnsLab
    let pebble: Pebble
    let server: ServerProcess
    let browser: Browser
    let tlsPort: number
    beforeAll(async () => {
      lab = await startDnsLab(['example', parent, 'host.example'])
      const [dnsPort = 0] = await findFreePorts(1)
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
      ;[server, browser] = await Promise.all([startServer({ env, ports }), launchBrowser()])
    })
    afterAll(async () => {
      await browser?.close()
      await server?.dispose()
      await pebble?.[Symbol.asyncDispose]()
      await lab?.[Symbol.asyncDispose]()
    })

    const walk = () => domainWalk(server, browser)

    /** A handshake that trusts Pebble's root alone: the certificate that stands between it and the host's. */
    async function handshake(servername: string): Promise<X509Certificate> {
      const socket = connect({ host: '127.0.0.1', port: tlsPort, servername, ca: await pebble.root() })
      await once(socket, 'secureConnect')
      const { issuerCertificate } = socket.getPeerCertificate(true)
      socket.destroy()
      return new X509Certificate(issuerCertificate.raw)
    }

    const walkAlone = () =>
      it('is handed over, opened over HTTPS and given up, in English', async () => {
        const { arrive, step, checkNow, picture, readRecords, signInWallet, takeName, readCredential, giveUp } = walk()
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
        await step(tab, 'domains.stepHandOver')
        const delegation = await readRecords(tab, 'NS')
        expect(delegation).toEqual(nameServers.map((host) => `${domain}. NS ${host}.`))
        await lab.setZone(parent, [delegation[0] ?? '', 'cloud NS ns2.hosts.example.'])
        await checkNow(tab)
        await page.getByText(app.t('domains.trouble.otherServers')).waitFor()
        await keepPicture(page, 'domain-other-servers')
        await lab.setZone(parent, delegation)
        await checkNow(tab)
        await step(tab, 'domains.stepApply')
        await page.getByRole('img', { name: app.t('domains.code') }).waitFor()
        await keepPicture(page, 'domain-apply')

        // The QR code holds the same address as the link beside it.
        const link = await app.link(app.t('domains.openWallet')).getAttribute('href')
        await pocket.wallet.pasteCode(link ?? '')
        await signInWallet(owner, domain)

        const suffixes = page.getByLabel(app.t('domains.suffixes'), { exact: true })
        await suffixes.fill('mail.example, com')
        await app.button(app.t('domains.ruleSave')).click()
        await page.getByText(/Anyone can have an email at com\./).waitFor()
        await suffixes.fill('mail.example, @lagoon.example')
        await app.button(app.t('domains.ruleSave')).click()
        await takeName(owner, 'lena', domain)
        await page.getByText('@lagoon.example').waitFor()
        await picture(page, 'in-use')

        await createRunningCluster(api)
        const figures = page.getByRole('region', { name: app.t('domains.figures') })
        await figures.getByText(app.t('domains.https.valid'), { exact: true }).waitFor()
        // HTTPS is asked for both certificates; either may be the later one.
        await until('HTTPS stands', async () => (await api.ask(domainDetail, { domain })).https.state === 'valid')
        const addresses = page.getByRole('region', { name: app.t('domains.addresses.title') })
        await addresses.getByText(`*.lena.${domain}`, { exact: true }).waitFor()
        await addresses.getByText(app.t('domains.https.valid'), { exact: true }).nth(1).waitFor()
        await picture(page, 'addresses')
        const between = await handshake(`lena.${domain}`)
        const key = createHash('sha256')
          .update(between.publicKey.export({ type: 'spki', format: 'der' }))
          .digest('base64')
        const visitors = await launchBrowser([
          `--host-resolver-rules=MAP *.${parent} 127.0.0.1:${tlsPort}`,
          // A browser's list of roots cannot be extended; the chain to Pebble's root was verified above.
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

    const walkTogether = () =>
      it('points here by CNAME, and somebody invited joins it and takes it over, in Chinese and in English', async () => {
        const walker = walk()
        const { arrive, step, checkNow, picture, readRecords, signInWallet, takeName, readCredential } = walker
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
        await step(tab, 'domains.stepHandOver')
        await app.button(app.t('domains.useCname')).click()
        await app.button(app.t('domains.useCname'), page.getByRole('dialog')).click()
        const pointer = await readRecords(tab, 'CNAME')
        expect(pointer).toEqual([expect.stringMatching(/^\*\.team\.lagoon\.example\. CNAME /)])
        await lab.setZone(parent, [...proof, ...pointer])
        await checkNow(tab)
        await step(tab, 'domains.stepApply')

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
        const other = await walker.openWallet('en-US', member.wallet.mnemonic)
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

        const heir = await openTab(browser, server.url, {
          locale: 'en-US',
          viewport: desktop,
          accounts: [member.session],
        })
        await walker.handOn(owner, { tab: heir, phone: other }, { domain, name: 'kai' })
        await walker.giveUp(heir, domain)
        expect([...tab.complaints, ...heir.complaints]).toEqual([])
      })

    if (which === 'alone') walkAlone()
    else walkTogether()
  })
}
