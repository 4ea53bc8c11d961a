import { existsSync } from 'node:fs'
import { lxdPackages, whyNoLxd } from '@atoll/testkit'
import { ensureGuestImage } from './guest-image.ts'
import { runToEnd } from './processes.ts'

/**
 * An LXD to test with, and the image of its instances: Debian's packages are installed as root on Debian. Answers why
 * there is none, and then its tests are skipped.
 */
export async function ensureLxd(): Promise<string | undefined> {
  if (whyNoLxd() !== undefined && process.getuid?.() === 0 && existsSync('/usr/bin/apt-get')) {
    process.stdout.write('Getting LXD for the tests\n')
    const env = { ...process.env, DEBIAN_FRONTEND: 'noninteractive' }
    await runToEnd('apt-get', ['update', '-qq'], { env })
    await runToEnd('apt-get', ['install', '-y', '-qq', '--no-install-recommends', ...lxdPackages], { env })
  }
  const missing = whyNoLxd()
  // Once, here: test files would build it one beside the other.
  if (missing === undefined) await ensureGuestImage()
  return missing
}
