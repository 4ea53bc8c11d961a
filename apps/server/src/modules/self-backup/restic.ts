import { spawn } from 'node:child_process'
import { OperatorError } from '../../platform/operator-error.ts'

export interface ResticRepository {
  /** Path of restic; undefined: none was found. */
  program: string | undefined
  repository: string
  passwordFile: string
}

/** Without settings and secrets of ours; stores' own credentials (AWS_…, B2_… and so on) are passed on. */
function environmentOf({ repository, passwordFile }: ResticRepository): NodeJS.ProcessEnv {
  const passed = Object.entries(process.env).filter(([name]) => !/^(ATOLL_|RESTIC|DATABASE_URL)/.test(name))
  return { ...Object.fromEntries(passed), RESTIC_REPOSITORY: repository, RESTIC_PASSWORD_FILE: passwordFile }
}

/** What restic prints; an `OperatorError` with what it complains of unless it ends with one of `good`. */
export async function askRestic(
  to: ResticRepository,
  args: readonly string[],
  { cwd, signal, good = [0] }: { cwd?: string; signal?: AbortSignal; good?: readonly number[] } = {},
): Promise<string> {
  if (to.program === undefined)
    throw new OperatorError('There is no restic. Install the package restic, or set RESTIC.')
  const child = spawn(to.program, args, {
    env: environmentOf(to),
    stdio: ['ignore', 'pipe', 'pipe'],
    ...(cwd !== undefined && { cwd }),
    ...(signal && { signal }),
  })
  const texts = { out: '', err: '' }
  child.stdout.setEncoding('utf8').on('data', (text: string) => {
    texts.out += text
  })
  child.stderr.setEncoding('utf8').on('data', (text: string) => {
    texts.err = (texts.err + text).slice(-4000)
  })
  const ended = Promise.withResolvers<number | null>()
  child.once('error', ended.reject)
  child.once('close', ended.resolve)
  const code = await ended.promise
  if (code !== null && good.includes(code)) return texts.out
  const why = texts.err.trim().split('\n').slice(-3).join(' ') || `it ended with ${code}`
  throw new OperatorError(`restic ${args[0]} did not work out: ${why}`)
}
