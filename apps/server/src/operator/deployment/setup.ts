/**
 * `atollctl setup`: from an installed package to a deployment that runs. Asks what it has to know, or takes it from
 * flags; makes role and database, settings, secrets and units, migrates, starts, and prints the records to add. May be
 * run again: secrets and the catalogue that are there stay, other files of before are kept beside the new ones.
 */
import { readFileSync } from 'node:fs'
import { networkInterfaces } from 'node:os'
import { join } from 'node:path'
import { createInterface } from 'node:readline/promises'
import { parseArgs } from 'node:util'
import { installRoot } from '../../platform/install.ts'
import { OperatorError } from '../../platform/operator-error.ts'
import { say, sayJson } from '../run-operator-command.ts'
import {
  awaitReady,
  checkLxd,
  listMissing,
  listTakenPorts,
  makeDatabase,
  makeLxdReady,
  startUnits,
  writeFiles,
} from './setup/machine.ts'
import { type Plan, planSetup } from './setup/plan.ts'
import { answerAll, type Given, type Question, questions } from './setup/questions.ts'

const help = `Usage: atollctl setup [--FLAG ANSWER …] [--yes] [--dry-run] [--json]

Each question is a flag; what no flag says is asked, where this is a terminal.
${questions.map(({ name, text }) => `  --${name.padEnd(22)} ${text}`).join('\n')}

  A flag's answer that begins with @ is the text of that file: other users of this machine can read what stands in a command.

  --yes                    ask nothing: what no flag says is the default
  --dry-run                say what would be written, and change nothing
  --json                   what was done as JSON; asks nothing

Exit codes: 0 done; 1 it failed, or an answer cannot be used; 2 the command was not understood.`

const options: Record<string, { type: 'string' | 'boolean'; short?: string }> = {
  ...Object.fromEntries(questions.map(({ name }) => [name, { type: 'string' as const }])),
  ...Object.fromEntries(['yes', 'dry-run', 'json'].map((name) => [name, { type: 'boolean' as const }])),
  help: { type: 'boolean', short: 'h' },
}

/** Addresses that are neither loopback nor of a private network; else whichever there are. */
function guessAddress(): string {
  const all = Object.values(networkInterfaces()).flatMap((ones) => (ones ?? []).filter(({ internal }) => !internal))
  const usable = all.filter(({ address }) => !address.startsWith('fe80:')).map(({ address }) => address)
  const open = usable.filter((address) => !/^(10\.|192\.168\.|172\.(1[6-9]|2\d|3[01])\.|f[cd])/.test(address))
  return (open.length > 0 ? open : usable).join(',')
}

/** The value of a flag, or the content of the file that it names. */
function answerOf(flag: string): string {
  if (!flag.startsWith('@')) return flag
  try {
    return readFileSync(flag.slice(1), 'utf8').trim()
  } catch (error) {
    throw new OperatorError(`The file of ${flag} cannot be read.`, { cause: error })
  }
}

async function read(given: Given, isAsking: boolean): Promise<Given> {
  const terminal = isAsking ? createInterface({ input: process.stdin, output: process.stderr }) : undefined
  const ask = async ({ name, text }: Question, standard: string | undefined) => {
    const fallback = name === 'address' ? guessAddress() : standard
    const answer = await terminal?.question(`${text}${fallback === undefined ? '' : ` [${fallback}]`}: `)
    return answer || (fallback ?? '')
  }
  try {
    const { answers, problems } = await answerAll(given, terminal && ask)
    if (problems.length > 0) throw new OperatorError(problems.join('\n'))
    return answers
  } finally {
    terminal?.close()
  }
}

async function carryOut(plan: Plan, answers: Given, migrate: () => Promise<void>): Promise<string[]> {
  const taken = await listTakenPorts(plan.ports)
  if (taken.length > 0)
    throw new OperatorError(
      `Another program has the ports ${taken.join(', ')}. Stop it, or let it end TLS in our stead: --https proxy.`,
    )
  // Before the catalogue is written, which another try would keep.
  if (answers.lxd === 'local') await checkLxd(answers)
  const written = writeFiles(plan.files)
  await makeDatabase()
  await migrate()
  if (answers.lxd === 'local') await makeLxdReady(answers)
  await startUnits(plan.units)
  await awaitReady(plan.api)
  return written
}

async function setup(): Promise<number> {
  const { values } = parseArgs({ options })
  if (values['help'] === true) {
    say(help)
    return 0
  }
  const [json, isDry] = [values['json'] === true, values['dry-run'] === true]
  const isAsking = values['yes'] !== true && !json && process.stdin.isTTY
  const given: Given = Object.fromEntries(
    questions.flatMap(({ name }) => (typeof values[name] === 'string' ? [[name, answerOf(values[name])]] : [])),
  )
  const answers = await read({ ...(isAsking ? {} : { address: guessAddress() }), ...given }, isAsking)
  const plan = planSetup(answers, readFileSync(join(installRoot, 'catalog.yaml'), 'utf8'))
  if (isDry) {
    for (const { path, mode, text, isSecret } of plan.files)
      say(
        `# ${path} (${mode.toString(8)})\n${text === undefined ? '(made at random)\n' : isSecret ? '(as given)\n' : text}`,
      )
    say(`# units: ${plan.units.join(', ')}`)
  } else if (process.getuid?.() !== 0) throw new OperatorError('Run it as root.')
  const written = isDry ? [] : await carryOut(plan, answers, migrateAsService)
  const missing = await listMissing(plan.records)
  if (json) sayJson({ written, units: plan.units, records: plan.records, missing })
  else for (const line of summary(plan, answers, { written, missing })) say(line)
  return 0
}

/** As the service: the verb of the program that is beside this one. */
async function migrateAsService(): Promise<void> {
  const { execFile } = await import('node:child_process')
  const { promisify } = await import('node:util')
  await promisify(execFile)('atollctl', ['migrate']).catch((error: unknown) => {
    const said = error instanceof Error && 'stderr' in error ? String(error.stderr).trim() : String(error)
    throw new OperatorError(`The database could not be brought up to date: ${said}`, { cause: error })
  })
}

function summary(
  { records }: Plan,
  answers: Given,
  { written, missing }: { written: readonly string[]; missing: Plan['records'] },
): string[] {
  const widths = [Math.max(...records.map(({ name }) => name.length)), 5]
  const line = ({ name, type, value }: Plan['records'][number]) =>
    `  ${name.padEnd(widths[0] ?? 0)}  ${type.padEnd(widths[1] ?? 0)}  ${value}`
  return [
    ...written.map((path) => `wrote ${path}`),
    '',
    missing.length === 0 ? 'The records in DNS are all there.' : 'Add these records in DNS:',
    ...missing.map(line),
    '',
    ...(answers.backup === undefined || answers.backup === 'none'
      ? ['This deployment is not backed up: run this again with --backup.']
      : ['Make the repository of the backup once: atollctl backup init']),
    'Keep a copy of /etc/atoll/key and, where there is one, /etc/atoll/backup-password elsewhere: nothing comes back without them.',
    ...(answers.payment === 'sandbox' || answers.smtp === 'none'
      ? ['Not ready for strangers yet: see ATOLL_ALLOW in /etc/atoll/atoll.env.']
      : []),
    '',
    `Then open https://${answers.console}, sign in, make yourself an Admin with: atollctl admin grant NAME`,
    'and look at everything with: atollctl doctor',
  ]
}

try {
  process.exitCode = await setup()
} catch (error) {
  const isOfArguments = error instanceof Error && 'code' in error && String(error.code).startsWith('ERR_PARSE_ARGS_')
  const isOperators = error instanceof OperatorError || isOfArguments
  if (process.argv.includes('--json')) sayJson({ error: error instanceof Error ? error.message : String(error) })
  process.stderr.write(`${isOperators ? error.message : error instanceof Error ? error.stack : error}\n`)
  process.exitCode = isOfArguments ? 2 : 1
}
