/**
 * `atollctl upgrade [VERSION|FILE]` and `atollctl rollback`, as root on a machine with the Debian package. Exit code 0:
 * the version is in use; 1: it is not, and the version before still is; 2: nothing was done, or it needs an operator.
 */
import { createHash } from 'node:crypto'
import { copyFileSync, createReadStream, existsSync, mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { basename, dirname, join, resolve } from 'node:path'
import { pipeline } from 'node:stream/promises'
import { parseArgs } from 'node:util'
import { OperatorError } from '../../platform/operator-error.ts'
import { reportCommand, say, sayJson } from '../run-operator-command.ts'
import { debianMachine, endHold, installedKey, installPackage, packageVersion } from './upgrade/debian-machine.ts'
import { describeMaker, judgeFile, type Wanted } from './upgrade/decide.ts'
import { type Outcome, rollback, upgrade } from './upgrade/steps.ts'

const help = `Usage: atollctl upgrade [VERSION | FILE] [--copy] [--no-backup] [--one-way] [--json]
       atollctl rollback [--json]

  upgrade      the version that the package laid out last, another that atollctl versions lists, or a package's FILE,
               whose release's SHA256SUMS and SHA256SUMS.sig lie beside it: what would change is shown, a backup is taken,
               the database is brought up to date, the roles are switched one by one and watched for a minute. A version that
               does not work is left again for the one before. Versions but these two are removed afterwards.
  rollback     the version before; the database stays as it is

  --copy       also copy the database before; nobody reaches it meanwhile
  --no-backup  take no backup
  --one-way    though the version in use cannot run on the changed database
  --json       the outcome as JSON; what happens meanwhile goes to standard error

Exit codes: 0 the version is in use; 1 it is not, what was in use before is; 2 nothing was done, or an operator is needed.
`
const exitCodes: Record<Outcome, number> = {
  done: 0,
  'nothing to do': 0,
  'went back': 1,
  'not switched': 1,
  failed: 2,
}

await reportCommand(async () => {
  const options = {
    copy: { type: 'boolean' },
    'no-backup': { type: 'boolean' },
    'one-way': { type: 'boolean' },
    json: { type: 'boolean' },
    help: { type: 'boolean', short: 'h' },
  } as const
  const { values, positionals } = parseArgs({ options, allowPositionals: true })
  const [verb, what, ...more] = positionals
  if (values.help) {
    process.stdout.write(help)
    return 0
  }
  if (!['upgrade', 'rollback'].includes(verb ?? '') || more.length > 0 || (verb === 'rollback' && what !== undefined))
    throw new OperatorError(help)
  if (process.getuid?.() !== 0) throw new OperatorError('Only root switches versions.')
  // A line that is cut, or Ctrl-C, ends what it asks of others; roles that were stopped for that have to run again.
  for (const signal of ['SIGHUP', 'SIGINT', 'SIGTERM'] as const) process.on(signal, () => undefined)
  for (const stream of [process.stdout, process.stderr]) stream.on('error', () => undefined)
  await endHold()
  const machine = debianMachine()
  const from = machine.current()
  const wanted: Wanted = {
    isBackedUp: values['no-backup'] !== true,
    isCopied: values.copy === true,
    isOneWay: values['one-way'] === true,
  }
  const outcome =
    verb === 'rollback' ? await rollback(machine) : await upgrade(machine, await findVersion(what), wanted)
  if (values.json) sayJson({ outcome, from, inUse: machine.current() })
  return exitCodes[outcome]
})

/** A file is checked, then laid out. */
async function findVersion(what: string | undefined): Promise<string> {
  if (what === undefined || !what.endsWith('.deb')) {
    const version = what ?? packageVersion()
    const machine = debianMachine()
    if (!machine.listLaidOut().includes(version))
      throw new OperatorError(
        `There is no version ${version} here, and no file of a package; atollctl versions lists them.`,
      )
    if (version !== machine.current()) say(describeMaker(installedKey(), installedKey(version)))
    return version
  }
  const given = resolve(what)
  if (!existsSync(given)) throw new OperatorError(`There is no file ${given}.`)
  // A copy that only root can change: what was checked is what is installed.
  const folder = mkdtempSync(join(tmpdir(), 'atoll-upgrade-'))
  try {
    const file = join(folder, basename(given))
    copyFileSync(given, file)
    await install(file, dirname(given))
  } finally {
    rmSync(folder, { recursive: true, force: true })
  }
  return packageVersion()
}

/** `release`: folder with the sums of its release and their signature. */
async function install(file: string, release: string): Promise<void> {
  const beside = (name: string) => {
    const path = join(release, name)
    return existsSync(path) ? readFileSync(path) : undefined
  }
  const hash = createHash('sha256')
  await pipeline(createReadStream(file), hash)
  const verdict = judgeFile({
    publicKey: installedKey(),
    sums: beside('SHA256SUMS')?.toString(),
    signature: beside('SHA256SUMS.sig'),
    name: basename(file),
    sha256: hash.digest('hex'),
  })
  if (verdict.name === 'refused') throw new OperatorError(verdict.why)
  say(verdict.name === 'signed' ? `${basename(file)} is signed with the key of the version in use.` : verdict.why)
  await installPackage(file)
}
