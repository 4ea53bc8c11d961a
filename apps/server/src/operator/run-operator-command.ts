import { type Config, loadConfig } from '../config.ts'
import { installRoot } from '../platform/install.ts'
import { createLog, type Log } from '../platform/log.ts'
import { OperatorError } from '../platform/operator-error.ts'

/**
 * Runs an operator's command to its end, with the settings of the environment, and sets the exit code: the result of
 * `work`, or 2 when it could not be done. Problems that the operator can correct are reported in words, any other error
 * with its stack.
 */
export async function runOperatorCommand(
  work: (context: { config: Config; log: Log }) => Promise<number>,
): Promise<void> {
  await reportCommand(async () => {
    const config = loadConfig(process.env, installRoot)
    // The server's own news would stand between the lines that were asked for.
    return await work({ config, log: createLog({ level: 'warn' }) })
  })
}

/** The same for a command that reads no settings. */
export async function reportCommand(work: () => Promise<number>): Promise<void> {
  try {
    process.exitCode = await work()
  } catch (error) {
    const isOperators = error instanceof OperatorError || isOfArguments(error)
    const text = isOperators ? error.message : error instanceof Error ? error.stack : error
    process.stderr.write(`${text}\n`)
    process.exitCode = 2
  }
}

/** An error of `parseArgs` about unknown or wrong arguments. */
function isOfArguments(error: unknown): error is Error {
  return error instanceof Error && 'code' in error && String(error.code).startsWith('ERR_PARSE_ARGS_')
}

/** Writes a line to standard output. */
export function say(line: string): void {
  process.stdout.write(`${line}\n`)
}
