import { dnsPackages, dnsProgramsFolder, whyNoDnsPrograms } from '@atoll/testkit'
import { unpackDebianPackages } from './debian-packages.ts'

/** Name servers and `dig` to test with. Answers why there are none, and then their tests are skipped. */
export async function ensureDnsPrograms(): Promise<string | undefined> {
  if (whyNoDnsPrograms() !== undefined) {
    process.stdout.write('Getting name servers for the tests\n')
    await unpackDebianPackages(dnsPackages, dnsProgramsFolder)
  }
  return whyNoDnsPrograms()
}
