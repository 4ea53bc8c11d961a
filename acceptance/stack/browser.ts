import { mkdirSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { Locale } from '@atoll/contract/wire'
import { patienceMs, repositoryRoot } from '@atoll/testkit'
import { type Browser, type BrowserContext, chromium, type Page } from 'playwright-core'

const chromiumPath = process.env['CHROMIUM_PATH'] ?? '/usr/bin/chromium'
/** The same engine without the windows around it, where `npm test` found one. */
const shellPath = process.env['CHROMIUM_SHELL_PATH'] ?? chromiumPath
/**
 * Three pages of the browser's own behind its address bar, loaded for every window: they took three quarters of a
 * context's processor time. The switch takes the place of Playwright's, whose names on Linux stand below them.
 */
const withoutFeatures = [
  ...['WebUIOmniboxPopup', 'WebUIOmniboxFullPopup', 'WebUIOmniboxAimPopup'],
  ...['AvoidUnnecessaryBeforeUnloadCheckSync', 'DestroyProfileOnBrowserClose', 'HttpsUpgrades'],
  ...[
    'HttpsFirstBalancedModeAutoEnable',
    'LensOverlay',
    'MediaRouter',
    'PaintHolding',
    'ThirdPartyStoragePartitioning',
  ],
  ...['AvoidCorsURLLoaderRestartOnRedirect', 'OptimizationHints', 'NetworkTimeServiceQuerying', 'AimEnabled'],
  'PreconnectToSearch',
]
const quietFlags = [
  '--no-sandbox',
  '--disable-gpu',
  '--disable-quic',
  '--no-first-run',
  // Without these it calls its maker's servers at every start.
  '--disable-background-networking',
  '--disable-component-update',
  '--disable-sync',
  `--disable-features=${withoutFeatures.join(',')}`,
]

/**
 * For tests that open hundreds of the console's pages for a second each: compiling their code again, to run faster,
 * took an eighth of the time. The wallet derives keys, and would take longer without it.
 */
export const forShortPages = '--js-flags=--no-opt,--no-maglev'

export const phone = { width: 390, height: 844 }
export const desktop = { width: 1280, height: 800 }

/** A camera whose picture is whatever was held before it last. */
export interface Camera extends AsyncDisposable {
  browser: Browser
  /** Shows `page` as it looks now to the camera: what a phone held before that screen would see. */
  pointAt(page: Page): Promise<void>
  /** Shows nothing. */
  lookAway(): Promise<void>
}

/** The size that the wallet asks a camera for. Another shape would be cropped by the browser, code and all. */
const lens = { width: 1280, height: 720 }
let cameras = 0

/** A browser whose camera shows pictures of other pages. */
export async function launchWithCamera(): Promise<Camera> {
  cameras += 1
  const file = join(tmpdir(), `atoll-camera-${process.pid}-${cameras}.mjpeg`)
  const browser = await launchBrowser([
    '--use-fake-device-for-media-stream',
    '--use-fake-ui-for-media-stream',
    `--use-file-for-fake-video-capture=${file}`,
  ])
  const view = await browser.newPage({ viewport: lens })
  // Chromium reads the file each time the camera is started, and must find one at the first.
  const take = async () => writeFileSync(file, video(await view.screenshot({ type: 'jpeg', quality: 90 })))
  await take()
  return {
    browser,
    async pointAt(page) {
      const picture = (await page.screenshot()).toString('base64')
      await view.setContent(`<body style="margin:0;background:#555"><img src="data:image/png;base64,${picture}"
        style="display:block;width:100vw;height:100vh;object-fit:contain">`)
      await take()
    },
    async lookAway() {
      await view.setContent('')
      await take()
    },
    async [Symbol.asyncDispose]() {
      await browser.close()
      rmSync(file, { force: true })
    },
  }
}

export function launchBrowser(flags: string[] = []): Promise<Browser> {
  return chromium.launch({ executablePath: shellPath, args: [...quietFlags, ...flags] })
}

/** With what the engine alone has not: a viewer of PDF. */
export function launchWholeBrowser(): Promise<Browser> {
  return chromium.launch({ executablePath: chromiumPath, args: quietFlags })
}

/** Concatenated JPEGs are a video to Chromium, as long as width and height are even. */
function video(jpeg: Buffer): Buffer {
  return Buffer.concat(Array<Buffer>(5).fill(jpeg))
}

export interface Screen {
  page: Page
  context: BrowserContext
  /**
   * Messages of the console that a user's browser would show in red, exceptions, and what the page's policy refused.
   */
  complaints: string[]
}

/** Faults in `page` from now on; filled as they happen. */
export async function collectComplaints(page: Page): Promise<string[]> {
  const complaints: string[] = []
  page.on('pageerror', (error) => complaints.push(`exception: ${error.message}`))
  page.on('console', (message) => {
    if (message.type() === 'error') complaints.push(`${message.text()} ${message.location().url}`)
  })
  // A policy's refusal that the page catches is reported nowhere else.
  await page.exposeFunction('atollRefused', (refused: string) => complaints.push(`refused by policy: ${refused}`))
  await page.addInitScript(`addEventListener('securitypolicyviolation', (refused) =>
    atollRefused(refused.effectiveDirective + ' ' + refused.blockedURI + ' in ' + refused.documentURI))`)
  return complaints
}

/**
 * Turns on the browser's data saver in `context`: otherwise the console prefetches the other pages at each load, which
 * took half the processor time of a test.
 */
export async function saveData(context: BrowserContext): Promise<void> {
  await context.addInitScript(`Object.defineProperty(navigator.connection, 'saveData', { get: () => true })`)
}

/** A page of its own, as a person who reads `locale` has it. */
export async function openScreen(
  browser: Browser,
  options: {
    locale: Locale
    viewport: { width: number; height: number }
    camera?: boolean
    scheme?: 'light' | 'dark'
    /** Fetches the pages that may be opened next, as a browser does whose owner does not save data. */
    fetchesAhead?: boolean
  },
): Promise<Screen> {
  const context = await browser.newContext({
    locale: options.locale,
    viewport: options.viewport,
    colorScheme: options.scheme ?? 'light',
    reducedMotion: 'reduce',
    ...(options.camera && { permissions: ['camera'] }),
  })
  context.setDefaultTimeout(patienceMs)
  if (!options.fetchesAhead) await saveData(context)
  const page = await context.newPage()
  const complaints = await collectComplaints(page)
  return { page, context, complaints }
}

/** Keeps a picture of what a person saw at this point, in `test-results/`. */
export async function keepPicture(page: Page, name: string): Promise<void> {
  const folder = join(repositoryRoot, 'test-results')
  mkdirSync(folder, { recursive: true })
  await page.screenshot({ path: join(folder, `${name}.png`) })
}
