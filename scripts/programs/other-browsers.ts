import { otherBrowserPackages, whyNoOtherBrowsers } from '@atoll/testkit'
import { installDebianPackages } from './debian-packages.ts'

/** Firefox and WebKit to test with. Answers why there are none, and then their tests are skipped. */
export async function ensureOtherBrowsers(): Promise<string | undefined> {
  if (whyNoOtherBrowsers() === undefined) return undefined
  process.stdout.write('Getting Firefox and WebKit for the tests\n')
  await installDebianPackages(otherBrowserPackages)
  return whyNoOtherBrowsers()
}
