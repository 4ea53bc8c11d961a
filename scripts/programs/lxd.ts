import { lxdPackages, whyNoLxd } from '@atoll/testkit'
import { ensureGuestImage } from '../building/guest-image.ts'
import { installDebianPackages } from './debian-packages.ts'

/**
 * An LXD to test with, and the image of its instances: Debian's packages are installed as root on Debian. Answers why
 * there is none, and then its tests are skipped.
 */
export async function ensureLxd(): Promise<string | undefined> {
  if (whyNoLxd() !== undefined) {
    process.stdout.write('Getting LXD for the tests\n')
    await installDebianPackages(lxdPackages)
  }
  const missing = whyNoLxd()
  // Once, here: test files would build it one beside the other.
  if (missing === undefined) await ensureGuestImage()
  return missing
}
