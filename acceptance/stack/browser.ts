import { mkdirSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { Locale } from '@atoll/contract'
import { repositoryRoot } from '@atoll/testkit'
import { type Browser, type BrowserContext, chromium, type Page } from 'playwright-core'

const executablePath = process.env['CHROMIUM_PATH'] ?? '/usr/bin/chromium'
const quietFlags = [
  '--no-sandbox',
  '--disable-gpu',
  '--disable-quic',
  '--no-first-run',
  // Without these it looks for its maker's servers at every start.
  '--disable-background-networking',
  '--disable-component-update',
  '--disable-sync',
]

export const phone = { width: 390, height: 844 }
export const desktop = { width: 1280, height: 800 }

/** A camera whose picture is whatever was held before it last. */
export interface Camera extends AsyncDisposable {
  browser: Browser
  /** Shows `page` as it looks now to the camera: what a phone held before that screen would see. */
  pointAt(page: Page): Promise<void>
}

let cameras = 0

/** A browser whose camera shows pictures of other pages. */
export async function launchWithCamera(): Promise<Camera> {
  cameras += 1
  const file = join(tmpdir(), `atoll-camera-${process.pid}-${cameras}.mjpeg`)
  const blank = await launchBrowser()
  try {
    const page = await blank.newPage({ viewport: desktop })
    writeFileSync(file, video(await page.screenshot({ type: 'jpeg', quality: 90 })))
  } finally {
    await blank.close()
  }
  const browser = await launchBrowser([
    '--use-fake-device-for-media-stream',
    '--use-fake-ui-for-media-stream',
    `--use-file-for-fake-video-capture=${file}`,
  ])
  return {
    browser,
    // Chromium reads the file each time the camera is started.
    async pointAt(page) {
      writeFileSync(file, video(await page.screenshot({ type: 'jpeg', quality: 90 })))
    },
    async [Symbol.asyncDispose]() {
      await browser.close()
      rmSync(file, { force: true })
    },
  }
}

export function launchBrowser(flags: string[] = []): Promise<Browser> {
  return chromium.launch({ executablePath, args: [...quietFlags, ...flags] })
}

/** Concatenated JPEGs are a video to Chromium, as long as width and height are even. */
function video(jpeg: Buffer): Buffer {
  return Buffer.concat(Array<Buffer>(5).fill(jpeg))
}

export interface Screen {
  page: Page
  context: BrowserContext
  /** Messages of the console that a user's browser would show in red, and exceptions of the page. */
  complaints: string[]
}

/** A page of its own, as a person who reads `locale` has it. */
export async function openScreen(
  browser: Browser,
  options: { locale: Locale; viewport: { width: number; height: number }; camera?: boolean },
): Promise<Screen> {
  const context = await browser.newContext({
    locale: options.locale,
    viewport: options.viewport,
    reducedMotion: 'reduce',
    ...(options.camera && { permissions: ['camera'] }),
  })
  context.setDefaultTimeout(20_000)
  const page = await context.newPage()
  const complaints: string[] = []
  page.on('pageerror', (error) => complaints.push(`exception: ${error.message}`))
  page.on('console', (message) => {
    if (message.type() === 'error') complaints.push(message.text())
  })
  return { page, context, complaints }
}

/** Keeps a picture of what a person saw at this point, in `test-results/`. */
export async function keepPicture(page: Page, name: string): Promise<void> {
  const folder = join(repositoryRoot, 'test-results')
  mkdirSync(folder, { recursive: true })
  await page.screenshot({ path: join(folder, `${name}.png`) })
}
