import { existsSync } from 'node:fs'
import { mkdir, readdir, readFile, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { isRelease } from '../../platform/install.ts'

/** Where the Debian package has the settings of a machine. */
const packageSettings = '/etc/atoll'

/** The folder with this machine's settings; undefined: this is no machine with the package. */
export function findSettingsDir(): string | undefined {
  return isRelease && existsSync(packageSettings) ? packageSettings : undefined
}

/**
 * Copies the files of `from`, without the secret key: a line that has it is left out, and so is a file of nothing else.
 * Somebody who finds the backup and its password then still lacks the key.
 */
export async function copySettings(from: string, to: string, secretKey: string | undefined): Promise<void> {
  await mkdir(to, { recursive: true, mode: 0o700 })
  // A key that was added is on its own line.
  const secrets = secretKey?.split('\n').filter((line) => line.trim() !== '') ?? []
  const hasKey = (text: string) => secrets.some((secret) => text.includes(secret))
  for (const entry of await readdir(from, { withFileTypes: true })) {
    if (!entry.isFile()) continue
    const text = await readFile(join(from, entry.name), 'utf8')
    const kept = text.split('\n').filter((line) => !hasKey(line))
    if (hasKey(text) && kept.every((line) => line.trim() === '')) continue
    await writeFile(join(to, entry.name), kept.join('\n'), { mode: 0o600 })
  }
}
