/**
 * The wallet's screens of custom domains, at every step and in every trouble that a server can report, in both
 * languages and both colour schemes: no barrier, nothing to scroll sideways for, no text missing.
 */
import { join } from 'node:path'
import { gzipSync } from 'node:zlib'
import { activeLogin, login, openCode } from '@atoll/contract/accounts'
import { domainDetail, requestDomainVC, submitDomainVP, toDomainBase } from '@atoll/contract/domains'
import { codes, type Locale } from '@atoll/contract/wire'
import { createScriptedWallet, repositoryRoot } from '@atoll/testkit'
import { type FastifyInstance, fastify } from 'fastify'
import type { Browser } from 'playwright-core'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { walletPages } from '../../apps/server/src/http/pages/page-paths.ts'
import { serveSpa } from '../../apps/server/src/http/pages/spa.ts'
import { applicationSchema, presentationDefinition } from '../../apps/server/src/modules/credentials/documents.ts'
import { createBarrierFinder } from '../stack/accessibility.ts'
import { walletApp } from '../stack/apps/wallet-app.ts'
import { keepPicture, launchBrowser, openScreen, phone, type Screen } from '../stack/browser.ts'
import { goTo } from '../stack/go-to.ts'
import { sampleSession } from '../stack/samples/sample-account.ts'
import { type SampleDomain, sampleDomainAnswers, sampleDomains } from '../stack/samples/sample-domains.ts'
import { waitForRest } from '../stack/settled.ts'
import { findRawKey } from '../stack/texts.ts'

const locales: Locale[] = ['en-US', 'zh-CN']
/** One of each step, and of each notice beside it; `offered`: somebody else's domain, which this identity is given. */
export const domainStates: (SampleDomain | 'offered')[] = [
  ...(['proving', 'handing', 'apex', 'applying', 'presenting', 'ruling', 'binding', 'naming', 'inUse'] as const),
  ...(['lost', 'contested', 'taken', 'handedOn', 'offered'] as const),
]
export const domainPages = ['/join', '/credentials'] as const
const offered = 'mole.example'

let app: FastifyInstance
let origin: string
let browser: Browser
const phones = new Map<Locale, Screen>()

const issuer = createScriptedWallet()

/** A credential such as this service issues. */
function credentialOf(domain: string): string {
  const credentialStatus = { statusListCredential: `${origin}/credentials/status/1`, statusListIndex: '7' }
  const vc = { credentialSubject: { domain }, credentialStatus }
  return issuer.sign({ iss: issuer.did, nbf: 0, exp: Math.floor(Date.now() / 1000) + 3600, vc })
}

/** Nothing on it is revoked. */
function emptyStatusList(): string {
  const encodedList = `u${gzipSync(Buffer.alloc(16_384)).toString('base64url')}`
  return issuer.sign({
    id: `${origin}/credentials/status/1`,
    issuer: issuer.did,
    validUntil: new Date(Date.now() + 3_600_000).toISOString(),
    credentialSubject: { statusPurpose: 'revocation', encodedList },
  })
}

function detailOf(domain: string) {
  const found = Object.values(sampleDomains).find((one) => one.domain === domain)
  if (!found) return undefined
  if (found.status !== 'WAIT_SUBMIT_VP') return found
  return { ...found, fullString: JSON.stringify({ verifiableCredentials: [credentialOf(domain)] }) }
}

/** The wallet's own pages, and what it asks of the service beside them. */
async function startScriptedWalletSite(): Promise<void> {
  app = fastify({ forceCloseConnections: true })
  const config = () => ({
    product: 'Atoll',
    wallet: 'LarePass',
    walletUrl: origin,
    formerWalletUrls: [],
    requireMatchNumber: false,
    hosts: { global: origin, china: origin },
    links: {},
    outbox: true,
    now: Date.now(),
  })
  const service = { publicUrl: 'https://atoll.test', chinaUrl: 'https://atoll.test', product: 'Atoll' }
  const ok = (data: unknown) => ({ code: codes.ok, message: 'success', data })
  const published = (data: unknown) => ({ code: 0, message: 'success', data })
  app.get('/config.json', async () => config())
  app.get('/get_application_schema/Domain', async () => published(applicationSchema(service, 'did:key:z6Mkissuer')))
  app.get('/get_presentation_definition/Domain', async () => published(presentationDefinition(service)))
  app.get('/credentials/status/1', async (_, reply) => reply.type('application/vc+jwt').send(emptyStatusList()))
  app.get('/name_domains', async () => published(['atoll.test']))
  app.get('/name_taken/*', async () => published(false))
  app.get('/get_name_by_did/*', async () => ({ code: codes.notFound, message: 'No name is bound to this DID.' }))
  app.post('/create_local', async () => published({}))
  app.post('/bind_name', async () => published({}))
  app.post('/join_organization', async () => published({ terminus_name: 'kai@lagoon.example' }))
  const answers = new Map<string, unknown>(sampleDomainAnswers(false).map(([call, answer]) => [call.path, answer]))
  const answerTo = async ({ url, body }: { url: string; body: unknown }) => {
    const fields = body as Record<string, string> // what the wallet sends
    if (url === openCode.path) return ok({ matchNumber: '42' })
    if (url === login.path) return ok({})
    if (url === activeLogin.path) return ok(sampleSession())
    if (url === requestDomainVC.path)
      return ok({ credential_response: {}, verifiableCredentials: [credentialOf('a.example')], responseJwt: '' })
    if (url === submitDomainVP.path) return ok({ status: 'denied', reason: 'This credential was revoked.' })
    if (url === domainDetail.path) {
      const detail = detailOf(fields['domain'] ?? '')
      return detail ? ok(detail) : { code: codes.notFound, message: 'This domain is not here.' }
    }
    const answer = answers.get(url)
    return ok(typeof answer === 'function' ? answer(new URLSearchParams(fields)) : (answer ?? {}))
  }
  for (const prefix of ['/v1/*', '/v2/*']) app.post(prefix, answerTo)
  await serveSpa(app, {
    dist: join(repositoryRoot, 'apps/wallet/dist'),
    pages: walletPages,
    connect: ['http:', 'https:'],
    scanner: true,
    config,
  })
  origin = await app.listen({ port: 0, host: '127.0.0.1' })
}

beforeAll(async () => {
  await startScriptedWalletSite()
  browser = await launchBrowser()
  await Promise.all(
    locales.map(async (locale) => {
      const screen = await openScreen(browser, { locale, viewport: phone })
      await walletApp(screen.page, locale).importIdentity(origin, createScriptedWallet().mnemonic)
      phones.set(locale, screen)
    }),
  )
})
afterAll(async () => {
  await browser?.close()
  await app?.close()
})

export function phoneOf(locale: Locale) {
  const screen = phones.get(locale)
  if (!screen) throw new Error('no wallet was opened')
  return { ...screen, wallet: walletApp(screen.page, locale) }
}

/** `within`: from where the wallet is; otherwise in one that was closed before, and in one that has locked itself. */
async function unlock(locale: Locale, path: string, within: boolean): Promise<void> {
  const { page, wallet } = phoneOf(locale)
  if (!within) await page.goto(`${origin}${path}`)
  else if (!(await goTo(page, path, '/settings')) && new URL(page.url()).pathname !== '/unlock') return
  const keypad = page.getByRole('group', { name: wallet.t('passcode.keypad') })
  await keypad.waitFor()
  await wallet.typePasscode()
  await keypad.waitFor({ state: 'detached' })
}

/** `within`: without the wallet being loaded and unlocked for it once more. */
export async function openDomainScreen(
  locale: Locale,
  state: SampleDomain | 'offered' | (typeof domainPages)[number],
  { within = false }: { within?: boolean } = {},
): Promise<void> {
  if (state === '/join' || state === '/credentials') await unlock(locale, state, within)
  else await openState(locale, state, within)
}

async function openState(locale: Locale, state: SampleDomain | 'offered', within: boolean): Promise<void> {
  const { page, wallet } = phoneOf(locale)
  const domain = state === 'offered' ? offered : sampleDomains[state].domain
  await unlock(locale, `/domain/${toDomainBase(domain)}`, within)
  const title = wallet.t('domain.linkTitle')
  await wallet.heading(title)
  await wallet.press(wallet.t('domain.link'))
  await page.getByRole('heading', { name: title, exact: true }).waitFor({ state: 'detached' })
}

/** Applies for one and is given it. */
async function holdCredential(locale: Locale): Promise<void> {
  const { page, wallet } = phoneOf(locale)
  await openState(locale, 'applying', false)
  const given = page.waitForResponse((response) => response.url().endsWith(requestDomainVC.path))
  await wallet.press(wallet.t('domain.apply'))
  await (await given).finished()
  await waitForRest(page)
}

/** The faults of the screen as it is. */
async function findFaults(locale: Locale): Promise<string[]> {
  const { page, complaints } = phoneOf(locale)
  await page.emulateMedia({ colorScheme: 'light' })
  const findBarriers = await createBarrierFinder(page)
  const found: string[] = []
  for (const colorScheme of ['light', 'dark'] as const) {
    await page.emulateMedia({ colorScheme })
    await waitForRest(page)
    found.push(...(await findBarriers({ coloursOnly: colorScheme === 'dark' })).map((one) => `${colorScheme}: ${one}`))
  }
  const wide = await page.evaluate<number>('document.documentElement.scrollWidth - innerWidth')
  if (wide > 0) found.push(`${wide} px wider than the screen`)
  const raw = findRawKey(await page.locator('body').innerText())
  if (raw) found.push(`a text is missing: ${raw}`)
  return [...found, ...complaints.splice(0)].map((problem) => `${locale} ${problem}`)
}

/** Each screen in one language. */
export function describeDomainScreens(locale: Locale): void {
  it.each([...domainStates, ...domainPages])(
    `the screen %s of a domain in the wallet has no fault in ${locale}`,
    async (state) => {
      const { page, wallet } = phoneOf(locale)
      if (state === '/credentials') await holdCredential(locale)
      await openDomainScreen(locale, state)
      if (state === '/credentials') await page.getByText(wallet.t('credentials.valid'), { exact: true }).waitFor()
      if (state === 'offered' || state === 'handedOn' || state === 'lost')
        await keepPicture(page, `wallet-domain-${state}-${locale}`)
      await waitForRest(page)
      expect(await findFaults(locale)).toEqual([])
    },
  )
}
