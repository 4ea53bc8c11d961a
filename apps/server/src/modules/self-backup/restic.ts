import { spawn } from 'node:child_process'
import type { Readable, Writable } from 'node:stream'
import { z } from 'zod'
import { OperatorError } from '../../platform/operator-error.ts'

export interface ResticRepository {
  /** Path of restic; undefined: none was found. */
  program: string | undefined
  repository: string
  passwordFile: string
}

/** Excludes our settings and secrets; credentials for stores (AWS_…, B2_… and so on) are passed on. */
function environmentOf({ repository, passwordFile }: ResticRepository): NodeJS.ProcessEnv {
  const passed = Object.entries(process.env).filter(([name]) => !/^(ATOLL_|RESTIC|DATABASE_URL)/.test(name))
  // In UTC it takes and names the times of snapshots.
  return { ...Object.fromEntries(passed), TZ: 'UTC', RESTIC_REPOSITORY: repository, RESTIC_PASSWORD_FILE: passwordFile }
}

/** restic's output at the end of a backup. */
const Summary = z.object({ message_type: z.literal('summary'), snapshot_id: z.string() })

/** The id of the snapshot that a `backup --json` made, from what it printed. */
export function snapshotOf(said: string): string {
  for (const line of said.split('\n').filter((each) => each.includes('"summary"'))) {
    const summary = Summary.safeParse(JSON.parse(line))
    if (summary.success) return summary.data.snapshot_id
  }
  throw new Error('restic ended well and named no snapshot')
}

interface AskOptions {
  cwd?: string
  signal?: AbortSignal
  good?: readonly number[]
}

/** The output of restic; throws an `OperatorError` with restic's complaint unless its exit code is one of `good`. */
export async function askRestic(
  to: ResticRepository,
  args: readonly string[],
  options: AskOptions = {},
): Promise<string> {
  return await startRestic(to, args, options).said
}

/**
 * The same, as streams: with `hasInput` restic reads `input`, which the caller ends; with `isOutputRead` the caller
 * reads `output`.
 */
export function startRestic(
  to: ResticRepository,
  args: readonly string[],
  {
    cwd,
    signal,
    good = [0],
    hasInput = false,
    isOutputRead = false,
  }: AskOptions & { hasInput?: boolean; isOutputRead?: boolean } = {},
): { input: Writable; output: Readable; said: Promise<string> } {
  if (to.program === undefined)
    throw new OperatorError('There is no restic. Install the package restic, or set RESTIC.')
  const child = spawn(to.program, args, {
    env: environmentOf(to),
    stdio: ['pipe', 'pipe', 'pipe'],
    ...(cwd !== undefined && { cwd }),
    ...(signal && { signal }),
  })
  if (!hasInput) child.stdin.end()
  const texts = { out: '', err: '' }
  if (!isOutputRead) {
    child.stdout.setEncoding('utf8').on('data', (text: string) => {
      texts.out += text
    })
  }
  child.stderr.setEncoding('utf8').on('data', (text: string) => {
    texts.err = (texts.err + text).slice(-4000)
  })
  const ended = Promise.withResolvers<number | null>()
  child.once('error', ended.reject)
  child.once('close', ended.resolve)
  const said = ended.promise.then((code) => {
    if (code !== null && good.includes(code)) return texts.out
    const why = texts.err.trim().split('\n').slice(-3).join(' ') || `it ended with ${code}`
    throw new OperatorError(`restic ${args[0]} did not work out: ${why}`)
  })
  return { input: child.stdin, output: child.stdout, said }
}
