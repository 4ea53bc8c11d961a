/**
 * Streams a dump of the database into restic, without a copy on this disk: `pg_dump` writes, restic reads. restic gets
 * the end of its input only after `pg_dump` has succeeded, and is stopped otherwise, so that a partial dump never
 * becomes a snapshot.
 */
import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { OperatorError } from '../../platform/operator-error.ts'
import { type ResticRepository, snapshotOf, startRestic } from './restic.ts'

export const dumpFile = 'database.dump'

/**
 * Target arguments for libpq's programs: the password is not among the arguments, which everybody can read, and of
 * several hosts the primary is selected, because a standby may lack the newest data and cannot be restored to.
 */
export function targetOf(url: string): { dbname: string; env: Record<string, string> } {
  const env: Record<string, string> = { PGTARGETSESSIONATTRS: 'read-write' }
  const inUser = /^(postgres(?:ql)?:\/\/[^:@/?]*):([^@/]*)@/.exec(url)
  const rest = inUser ? `${inUser[1]}@${url.slice(inUser[0].length)}` : url
  const inQuery = /([?&])password=([^&]*)(&|$)/.exec(rest)
  const dbname = inQuery ? rest.replace(inQuery[0], inQuery[3] === '&' ? `${inQuery[1]}` : '') : rest
  const password = inQuery?.[2] ?? inUser?.[2]
  if (password !== undefined) env['PGPASSWORD'] = decodeURIComponent(password)
  return { dbname, env }
}

/** Stores a dump of the database at `url` as of `takenAt`; the snapshot's id. */
export async function storeDump(
  to: ResticRepository,
  { url, takenAt, signal }: { url: string; takenAt: Date; signal?: AbortSignal | undefined },
): Promise<string> {
  const { dbname, env } = targetOf(url)
  // Not compressed: restic compresses, and finds again what did not change.
  const args = ['--format=custom', '--compress=0', '--no-owner', '--no-privileges', `--dbname=${dbname}`]
  const dump = spawn('pg_dump', args, { env: { ...process.env, ...env }, stdio: ['ignore', 'pipe', 'pipe'] })
  let complaint = ''
  dump.stderr.setEncoding('utf8').on('data', (text: string) => {
    complaint = (complaint + text).slice(-4000)
  })
  const ended = once(dump, 'close').then(([code]) => {
    if (code !== 0)
      throw new OperatorError(`pg_dump did not work out: ${lastLines(complaint) || `it ended with ${code}`}`)
  })
  ended.catch(() => undefined) // awaited below
  const stop = new AbortController()
  const stored = startRestic(
    to,
    [
      ...['backup', '--json', '--host', 'atoll', '--tag', 'atoll-database', '--time', resticTime(takenAt)],
      ...['--stdin', '--stdin-filename', dumpFile],
    ],
    { signal: signal ? AbortSignal.any([signal, stop.signal]) : stop.signal, hasInput: true },
  )
  stored.said.catch(() => undefined) // awaited below
  dump.stdout.pipe(stored.input, { end: false })
  // A reader that ended early says why itself.
  stored.input.on('error', () => dump.kill())
  try {
    await Promise.race([ended, stored.said.then(() => ended)])
    stored.input.end()
    return snapshotOf(await stored.said)
  } catch (error) {
    dump.kill()
    stop.abort()
    throw error instanceof Error && error.message.startsWith('spawn pg_dump')
      ? new OperatorError('There is no pg_dump: install the package postgresql-client.', { cause: error })
      : error
  }
}

/** As restic takes a time, in the UTC that it runs in. */
export function resticTime(at: Date): string {
  return at.toISOString().slice(0, 19).replace('T', ' ')
}

function lastLines(text: string): string {
  return text.trim().split('\n').slice(-3).join(' ')
}
