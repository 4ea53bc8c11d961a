import { existsSync, mkdirSync, readdirSync, rmSync } from 'node:fs'
import { join } from 'node:path'
import { runToEnd } from '../processes.ts'

/** Installs Debian's packages as root on Debian; elsewhere nothing happens, and the callers say what is missing. */
export async function installDebianPackages(packages: readonly string[]): Promise<void> {
  if (process.getuid?.() !== 0 || !existsSync('/usr/bin/apt-get')) return
  const env = { ...process.env, DEBIAN_FRONTEND: 'noninteractive' }
  await runToEnd('apt-get', ['update', '-qq'], { env })
  await runToEnd('apt-get', ['install', '-y', '-qq', '--no-install-recommends', ...packages], { env })
}

/**
 * Unpacks Debian's packages, with those that they need and the machine lacks, into `folder` (absolute) as root on
 * Debian, without installing them: their services start nowhere. Elsewhere nothing happens, see above.
 */
export async function unpackDebianPackages(packages: readonly string[], folder: string): Promise<void> {
  if (process.getuid?.() !== 0 || !existsSync('/usr/bin/apt-get')) return
  const archives = `${folder}.archives`
  mkdirSync(join(archives, 'partial'), { recursive: true })
  const env = { ...process.env, DEBIAN_FRONTEND: 'noninteractive' }
  await runToEnd('apt-get', ['update', '-qq'], { env })
  const options = ['--download-only', '--no-install-recommends', '-o', `Dir::Cache::archives=${archives}`]
  await runToEnd('apt-get', ['install', '-y', '-qq', ...options, ...packages], { env })
  for (const name of readdirSync(archives).filter((file) => file.endsWith('.deb')))
    await runToEnd('dpkg', ['-x', join(archives, name), folder])
  rmSync(archives, { recursive: true, force: true })
}
