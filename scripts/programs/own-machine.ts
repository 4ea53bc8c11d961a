import { ownMachinePackages, whyNoOwnMachine } from '@atoll/testkit'
import { installDebianPackages } from './debian-packages.ts'

/** What machines in networks of their own need for their tests. */
export async function ensureOwnMachines(): Promise<void> {
  if (whyNoOwnMachine() !== undefined) await installDebianPackages(ownMachinePackages)
}
