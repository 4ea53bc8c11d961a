/** Debian's restic and its own server, which judge the vault; unpacked in the project's folder, not installed. */
import { execFile, spawn } from 'node:child_process'
import { once } from 'node:events'
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
export async function runRestic(program: string, reached: Reached, ...args: string[]): Promise<string> {
  const env = environmentOf(reached)
  const { stdout } = await promisify(execFile)(program, args, { env, timeout: 60_000 })
  return stdout
}

interface Reached {
  repository: string
  cache: string
  env?: Record<string, string> | undefined
}

function environmentOf({ repository, cache, env }: Reached): Record<string, string> {
  return { RESTIC_REPOSITORY: repository, RESTIC_PASSWORD: 'a password for tests', RESTIC_CACHE_DIR: cache, ...env }
}

/**
 * The output of restic until it matches `complaint`; restic is ended then, because it retries refused requests for a
 * quarter of an hour.
 */
export async function captureComplaint(
  program: string,
  { complaint, ...reached }: Reached & { complaint: RegExp },
  ...args: string[]
): Promise<string> {
  const child = spawn(program, args, { env: environmentOf(reached), stdio: ['ignore', 'pipe', 'pipe'] })
  let said = ''
  for (const stream of [child.stdout, child.stderr])
    stream.on('data', (text) => {
      said += text
      if (complaint.test(said)) child.kill('SIGKILL')
    })
  await once(child, 'close')
  return said
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
