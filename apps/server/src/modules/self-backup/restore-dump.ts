/** A dump into an empty database, from a file or as restic reads it, without a copy on this disk. */
import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { createReadStream } from 'node:fs'
import type { Readable } from 'node:stream'
import { OperatorError } from '../../platform/operator-error.ts'
import { dumpFile, targetOf } from './dump.ts'
import { type ResticRepository, startRestic } from './restic.ts'

export type DumpSource = { file: string } | { from: ResticRepository; snapshot: string }

/** Throws an `OperatorError` unless all of the dump is in the database at `url`. */
export async function restoreDump(source: DumpSource, url: string): Promise<void> {
  const { output, ended } = openDump(source)
  ended.catch(() => undefined) // awaited below
  const { dbname, env } = targetOf(url)
  const args = ['--no-owner', '--no-privileges', '--exit-on-error', `--dbname=${dbname}`]
  const child = spawn('pg_restore', args, { env: { ...process.env, ...env }, stdio: ['pipe', 'ignore', 'pipe'] })
  let complaint = ''
  child.stderr.setEncoding('utf8').on('data', (text: string) => {
    complaint = (complaint + text).slice(-4000)
  })
  child.stdin.on('error', () => undefined) // one that ended early says why itself
  output.pipe(child.stdin)
  // Nothing ends what is piped to where its source fails, and it would wait for ever.
  let unread: Error | undefined
  output.on('error', (error) => {
    unread = error
    child.kill()
  })
  const [code] = await once(child, 'close').catch((error: unknown) => {
    output.destroy()
    throw new OperatorError('There is no pg_restore: install the package postgresql-client.', { cause: error })
  })
  if (unread) throw new OperatorError(`The dump cannot be read: ${unread.message}`, { cause: unread })
  if (code !== 0) {
    output.destroy()
    throw new OperatorError(`pg_restore did not work out: ${complaint.trim().split('\n').slice(-3).join(' ')}`)
  }
  // It ends well at the dump's own end; restic may have complained of what it read.
  await ended
}

function openDump(source: DumpSource): { output: Readable; ended: Promise<unknown> } {
  if ('from' in source) {
    const { output, said } = startRestic(source.from, ['dump', source.snapshot, dumpFile], { isOutputRead: true })
    return { output, ended: said }
  }
  const output = createReadStream(source.file)
  const failed = Promise.withResolvers<void>()
  output.once('error', failed.reject).once('end', failed.resolve)
  return { output, ended: failed.promise }
}
