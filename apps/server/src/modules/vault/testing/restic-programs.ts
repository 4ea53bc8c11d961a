/** Debian's restic and its own server, which judge the vault; unpacked in the project's folder, not installed. */
import { execFile, spawn } from 'node:child_process'
import { existsSync } from 'node:fs'
import { join } from 'node:path'
import { createInterface } from 'node:readline'
import { promisify } from 'node:util'
import { repositoryRoot } from '@atoll/testkit'

const folder = join(repositoryRoot, '.tools/restic')
const findIn = (path: string) => (existsSync(join(folder, path)) ? join(folder, path) : undefined)

/** Of Debian 12 (0.14) and 13 (0.18). */
export const restics = { '0.14': findIn('bookworm/restic'), '0.18': findIn('trixie/restic') }
export const restServer = findIn('restic-rest-server')

/**
 * Runs restic; what it prints, or an error with what it complains of. `repository`: a URL with its user and password,
 * or a folder.
 */
export async function runRestic(
  program: string,
  { repository, cache, env: more }: { repository: string; cache: string; env?: Record<string, string> },
  ...args: string[]
): Promise<string> {
  const env = {
    RESTIC_REPOSITORY: repository,
    RESTIC_PASSWORD: 'a password for tests',
    RESTIC_CACHE_DIR: cache,
    ...more,
  }
  const { stdout } = await promisify(execFile)(program, args, { env, timeout: 60_000 })
  return stdout
}

/** restic's own server, append-only on this folder, at an address of its own. */
export async function runRestServer(path: string, port: number): Promise<AsyncDisposable & { url: string }> {
  const program = restServer
  if (program === undefined) throw new Error('There is no restic-rest-server')
  const args = ['--no-auth', '--append-only', '--path', path, '--listen', `127.0.0.1:${port}`]
  const child = spawn(program, args, { stdio: ['ignore', 'pipe', 'pipe'] })
  const ended = new Promise<void>((resolve) => child.once('close', () => resolve()))
  const started = new Promise<void>((resolve) => {
    for (const stream of [child.stdout, child.stderr])
      createInterface({ input: stream }).on('line', (line) => {
        if (/start server on|listening/i.test(line)) resolve()
      })
  })
  await Promise.race([started, ended.then(() => Promise.reject(new Error('restic-rest-server did not start')))])
  return {
    url: `http://127.0.0.1:${port}`,
    async [Symbol.asyncDispose]() {
      child.kill()
      await ended
    },
  }
}
