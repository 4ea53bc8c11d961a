import { existsSync } from 'node:fs'
import { ownMachinePackages, whyNoOwnMachine } from '@atoll/testkit'
import { runToEnd } from './processes.ts'

/** What machines in networks of their own need for their tests: Debian's packages are installed as root on Debian. */
export async function ensureOwnMachines(): Promise<void> {
  if (whyNoOwnMachine() === undefined || process.getuid?.() !== 0 || !existsSync('/usr/bin/apt-get')) return
  const env = { ...process.env, DEBIAN_FRONTEND: 'noninteractive' }
  await runToEnd('apt-get', ['update', '-qq'], { env })
  await runToEnd('apt-get', ['install', '-y', '-qq', '--no-install-recommends', ...ownMachinePackages], { env })
}
