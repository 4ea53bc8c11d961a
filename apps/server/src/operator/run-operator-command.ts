/**
 * How each of the operator's commands reads its arguments, and how it ends. Every one has `--help` and `--json`. With
 * `--json` standard output is one value of JSON, `{"error": …}` where the command could not be done, and all that is
 * said meanwhile goes to standard error. Exit codes: 0 done; 1 it was looked at and is not well, or it was not done; 2
 * it could not be looked at or done, or the command was not understood.
 */
import { parseArgs } from 'node:util'
import { type Config, loadConfig } from '../config.ts'
import { installRoot, isRelease } from '../platform/install.ts'
import { createLog, type Log } from '../platform/log.ts'
import { OperatorError } from '../platform/operator-error.ts'

type Options = Record<string, { type: 'string' | 'boolean'; short?: string; default?: string | boolean }>

interface Asked<O extends Options> {
  options: O
  args: string[]
  allowPositionals: true
}

interface Verb<O extends Options> {
  /** As `atollctl` names it. */
  verb: string
  /** As a checkout's package.json names it. */
  script: string
  /** Words that may follow the name, such as `[FILE]`. */
  takes?: string
  /** A line for what it does, and one for each option. */
  text: string
  /** Exit codes; `Exit codes: 0` stands before it. */
  codes: string
  options?: O
  /** How many words it takes; 0. */
  words?: number
}

const common = { json: { type: 'boolean' }, help: { type: 'boolean', short: 'h' } } as const

export interface Outcome {
  code: number
  /** For `--json`. */
  data: object
  /** For people. */
  lines: readonly string[]
}

/** Whether the outcome is asked for as JSON. */
function asksJson(): boolean {
  return process.argv.includes('--json')
}

/** Runs one of `atollctl`'s verbs to its end and sets the exit code. */
export async function runVerb<O extends Options>(
  { verb, script, takes, text, codes, options, words = 0 }: Verb<O>,
  work: (context: {
    config: Config
    log: Log
    values: ReturnType<typeof parseArgs<Asked<O>>>['values']
    positionals: string[]
  }) => Promise<Outcome>,
): Promise<void> {
  const usage = `${isRelease ? `atollctl ${verb}` : `npm run ${script} --`}${takes === undefined ? '' : ` ${takes}`} [--json]`
  const help = `Usage: ${usage}\n\n${text}\n  --json   the outcome as JSON\n\nExit codes: 0 ${codes}`
  await reportCommand(async () => {
    // Read twice: the first knows the options that every verb has, the second types those of this one.
    const all: Options = { ...options, ...common }
    const { values: asked, positionals } = parseArgs({ options: all, allowPositionals: true })
    if (asked['help'] === true) {
      process.stdout.write(`${help}\n`)
      return 0
    }
    if (positionals.length > words) throw new OperatorError(`${help}\n\nThere is no "${positionals[words]}".`)
    const args = process.argv.slice(2).filter((word) => word !== '--json')
    const { values } = parseArgs<Asked<O>>({
      options: options ?? ({} as O),
      args, // a verb without options of its own has the type of none
      allowPositionals: true,
    })
    return await withConfig(async (context) => tell(await work({ ...context, values, positionals })))
  })
}

function tell({ code, data, lines }: Outcome): number {
  if (asksJson()) sayJson(data)
  else for (const line of lines) say(line)
  return code
}

async function withConfig(work: (context: { config: Config; log: Log }) => Promise<number>): Promise<number> {
  const config = loadConfig(process.env, installRoot)
  // The server's own news would stand between the lines that were asked for.
  return await work({ config, log: createLog({ level: 'warn' }) })
}

/**
 * Runs an operator's command that reads its own arguments, with the settings of the environment, and sets the exit
 * code: the result of `work`, or 2 when it could not be done. Problems that the operator can correct are reported in
 * words, any other error with its stack.
 */
export async function runOperatorCommand(
  work: (context: { config: Config; log: Log }) => Promise<number>,
): Promise<void> {
  await reportCommand(async () => await withConfig(work))
}

/** The same for a command that reads no settings. */
export async function reportCommand(work: () => Promise<number>): Promise<void> {
  try {
    process.exitCode = await work()
  } catch (error) {
    const isOperators = error instanceof OperatorError || isOfArguments(error)
    if (asksJson()) sayJson({ error: error instanceof Error ? error.message : String(error) })
    process.stderr.write(`${isOperators ? error.message : error instanceof Error ? error.stack : error}\n`)
    process.exitCode = 2
  }
}

/** An error of `parseArgs` about unknown or wrong arguments. */
function isOfArguments(error: unknown): error is Error {
  return error instanceof Error && 'code' in error && String(error.code).startsWith('ERR_PARSE_ARGS_')
}

/** Writes a line for people: to standard output, or beside the JSON that is asked for. */
export function say(line: string): void {
  ;(asksJson() ? process.stderr : process.stdout).write(`${line}\n`)
}

/** Writes the outcome that `--json` asks for. */
export function sayJson(data: unknown): void {
  process.stdout.write(`${JSON.stringify(data, null, 2)}\n`)
}
