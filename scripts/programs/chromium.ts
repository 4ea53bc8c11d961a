import { existsSync } from 'node:fs'
import { chromium } from 'playwright-core'
import { runToEnd } from '../processes.ts'
import { binaryOf } from '../project.ts'
import { installDebianPackages } from './debian-packages.ts'

const headlessShell = '/usr/bin/chromium-headless-shell'

const usualPlaces = [
  '/usr/bin/chromium',
  '/usr/bin/chromium-browser',
  '/usr/bin/google-chrome',
  '/usr/bin/google-chrome-stable',
]

/** Path of a Chromium: the one of CHROMIUM_PATH, the system's, or Playwright's own. */
function findChromium(): string | undefined {
  const places = [process.env['CHROMIUM_PATH'], ...usualPlaces, chromium.executablePath()]
  return places.find((path) => path !== undefined && path !== '' && existsSync(path))
}

/**
 * A Chromium to test with, installed when there is none: Debian's package as root on Debian, because it brings the
 * libraries it needs; Playwright's elsewhere.
 */
export async function ensureChromium(): Promise<string> {
  const present = findChromium()
  if (present !== undefined) return present
  process.stdout.write('Getting Chromium for the tests\n')
  await installDebianPackages(['chromium', 'fonts-noto-cjk'])
  if (findChromium() === undefined)
    await runToEnd(process.execPath, [binaryOf('playwright-core'), 'install', 'chromium'])
  const installed = findChromium()
  if (installed === undefined) {
    throw new Error(
      'There is no Chromium and none could be installed. Install one and set CHROMIUM_PATH to its program.',
    )
  }
  return installed
}

/**
 * Chromium's engine without the windows around it: a quarter less processor time for the same pages, and no viewer of
 * PDF. Debian's; undefined where there is none, and the whole Chromium does instead.
 */
export async function ensureHeadlessShell(): Promise<string | undefined> {
  if (!existsSync(headlessShell)) {
    process.stdout.write("Getting Chromium's headless shell for the tests\n")
    // Together: both stand on the same version of their common package.
    await installDebianPackages(['chromium', 'chromium-headless-shell'])
  }
  return existsSync(headlessShell) ? headlessShell : undefined
}
