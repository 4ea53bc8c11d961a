import { ownMachinePackages, whyNoOwnMachine } from '@atoll/testkit'
import { installDebianPackages } from './debian-packages.ts'

/** Installs the programs that tests of machines in their own networks need. */
export async function ensureOwnMachines(): Promise<void> {
  if (whyNoOwnMachine() !== undefined) await installDebianPackages(ownMachinePackages)
}
