import { existsSync } from 'node:fs'
import { runToEnd } from './processes.ts'

/**
 * Installs Debian's packages as root on Debian; elsewhere nothing happens, and whoever needs them says what is
 * missing.
 */
export async function installDebianPackages(packages: readonly string[]): Promise<void> {
  if (process.getuid?.() !== 0 || !existsSync('/usr/bin/apt-get')) return
  const env = { ...process.env, DEBIAN_FRONTEND: 'noninteractive' }
  await runToEnd('apt-get', ['update', '-qq'], { env })
  await runToEnd('apt-get', ['install', '-y', '-qq', '--no-install-recommends', ...packages], { env })
}
