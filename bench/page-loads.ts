import { join } from 'node:path'
import type { SignedIn } from '@atoll/contract/accounts'
import { createCluster, resourceInitNew, resourceList } from '@atoll/contract/clusters'
import { accountIndexKey, accountListKey, rates } from '@atoll/contract/wire'
import { repositoryRoot, type ServerProcess, until } from '@atoll/testkit'
import react from '@vitejs/plugin-react'
import type { Browser } from 'playwright-core'
import { build } from 'vite'
import { launchBrowser } from '../acceptance/stack/browser.ts'
import { eagerCompile } from '../apps/console/build/eager-compile.ts'
import { serveSpa } from '../apps/server/src/http/pages/spa.ts'
import { defineEndpoint } from '../apps/server/src/http/rates/define-endpoint.ts'
import { createHttpServer } from '../apps/server/src/http/server.ts'
import { silentLog } from '../apps/server/src/platform/log.ts'
import { compressFiles } from '../scripts/building/front-ends.ts'
import { ensureChromium } from '../scripts/programs/chromium.ts'
import { composeOrder } from './billing/order.ts'
import { median, type Ratio } from './figures.ts'
import { signUp } from './sign-up.ts'

/** As slow as a middling phone. */
const slowdown = 4
const rounds = 21

/** When each page can be used: what has to be on the screen. CSS selectors. */
const pages = [
  { name: 'sign-in', path: '/login', ours: 'svg[role=img], canvas', bare: 'button' },
  { name: 'home', path: '/', ours: 'article button', bare: 'article button' },
]

/** From navigation to a page that can be used, on a slow processor with nothing cached, against the bare page. */
export async function measurePageLoads(server: ServerProcess): Promise<Ratio[]> {
  process.env['CHROMIUM_PATH'] = await ensureChromium()
  const { api, session } = await signUp(server.url, 'pages')
  await api.ask(createCluster, await composeOrder(api))
  await until('the cluster runs', async () => (await api.ask(resourceList, {}))[0]?.status === 'inactivated')
  const data = await api.ask(resourceInitNew, {})
  await using bare = await startBarePage(data)
  const browser = await launchBrowser()
  try {
    const ratios: Ratio[] = []
    for (const page of pages) {
      const accounts = page.path === '/' ? [session] : []
      const ours: number[] = []
      const plain: number[] = []
      for (let round = 0; round < rounds; round += 1) {
        plain.push(await timeToUse(browser, `${bare.url}${page.path}`, page.bare, accounts))
        ours.push(await timeToUse(browser, `${server.url}${page.path}`, page.ours, accounts))
      }
      const [us, reference] = [median(ours), median(plain)]
      ratios.push({
        name: `usable ${page.name} page on a ${slowdown} times slower processor, against a bare React and router page`,
        value: us / reference,
        target: { atMost: 2.2 },
        from: `${us.toFixed(0)} ms against ${reference.toFixed(0)} ms, medians of ${rounds} each, nothing cached`,
      })
    }
    return ratios
  } finally {
    await browser.close()
  }
}

/** ms from the navigation to the first frame in which `selector` is on the screen. */
async function timeToUse(browser: Browser, url: string, selector: string, accounts: SignedIn[]): Promise<number> {
  const context = await browser.newContext({ viewport: { width: 1280, height: 800 }, locale: 'en-US' })
  try {
    const page = await context.newPage()
    await page.addInitScript(`
      localStorage.setItem(${JSON.stringify(accountListKey)}, ${JSON.stringify(JSON.stringify(accounts))})
      localStorage.setItem(${JSON.stringify(accountIndexKey)}, '0')
      globalThis.usable = new Promise((resolve) => {
        const check = () => {
          if (document.querySelector(${JSON.stringify(selector)})) requestAnimationFrame(() => resolve(performance.now()))
          else requestAnimationFrame(check)
        }
        check()
      })`)
    const devtools = await context.newCDPSession(page)
    await devtools.send('Emulation.setCPUThrottlingRate', { rate: slowdown })
    await page.goto(url, { waitUntil: 'commit' })
    return await page.evaluate<number>('globalThis.usable')
  } finally {
    await context.close()
  }
}

/**
 * The bare page, built and served as the console is: by the same HTTP server, whose security headers alone cost a page
 * a tenth of the bare page's time (`Cross-Origin-Opener-Policy` gives it a process of its own). It is answered the
 * same clusters.
 */
async function startBarePage(data: unknown): Promise<{ url: string } & AsyncDisposable> {
  const root = join(repositoryRoot, 'bench/bare-page')
  const dist = join(repositoryRoot, '.cache/bench-bare-page')
  await build({
    root,
    configFile: false,
    logLevel: 'warn',
    plugins: [react(), eagerCompile(['index'])],
    build: { outDir: dist, emptyOutDir: true, modulePreload: { polyfill: false }, target: 'es2023' },
  })
  await compressFiles(dist)
  const config = { publicUrl: 'http://localhost', trustProxy: 0, rateFactor: 1000, signInRatePerMinute: 1_000_000 }
  const app = await createHttpServer({ config, log: silentLog, metrics: { observe: () => undefined } })
  app.route({
    ...defineEndpoint({ method: 'POST', url: '/v1/resource/initNew', rate: rates.read, openBecause: 'for a bench' }),
    handler: async () => ({ code: 200, message: 'success', data }),
  })
  await serveSpa(app, { dist, pages: [], connect: [], scanner: false })
  const address = await app.listen({ port: 0, host: '127.0.0.1' })
  return { url: address.replace('127.0.0.1', 'localhost'), [Symbol.asyncDispose]: () => app.close() }
}
