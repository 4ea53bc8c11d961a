/**
 * `npm run rotate-key [-- start] [--status] [--json]`: gives the deployment another secret key, a step at a time. In a
 * release `atollctl` makes the steps, as the key's file is root's and the database the service's: `--next` names the
 * step, `--write` makes one of the file, `--use` the one of the database.
 */
import {
  closeSync,
  fchmodSync,
  fchownSync,
  fsyncSync,
  openSync,
  readFileSync,
  renameSync,
  rmSync,
  statSync,
  writeSync,
} from 'node:fs'
import { dirname, join, resolve } from 'node:path'
import { setTimeout as pause } from 'node:timers/promises'
import { parseArgs } from 'node:util'
import { keyMoves } from '../../composition/key-moves.ts'
import type { Config } from '../../config.ts'
import { keepStatementKey } from '../../modules/billing/index.ts'
import { systemClock as clock } from '../../platform/clock.ts'
import { keyIdOf } from '../../platform/crypto.ts'
import { requireSecretKeys, withAddedKey, withKeysAt } from '../../platform/data-folder/secret-key.ts'
import type { Db } from '../../platform/db/index.ts'
import { installRoot, isRelease } from '../../platform/install.ts'
import { checkSameKey, countUses, listWithout, nextKey, switchKey } from '../../platform/keys/index.ts'
import { OperatorError } from '../../platform/operator-error.ts'
import { withOperatorDatabase } from '../../start/operator-database.ts'
import { runOperatorCommand, say, sayJson } from '../run-operator-command.ts'

const command = isRelease ? 'atollctl rotate-key' : 'npm run rotate-key --'
const help = `Usage: ${command} [start] [--status] [--json]

Gives the deployment another secret key, while it runs. start begins; without it, a rotation that is under way is taken
to its next step, and the old key goes once nothing uses it. Can be run again wherever it was killed.${
  isRelease ? '' : '\nAfter each step the server has to be started again, which this says.'
}
  --status   say how far it is, and change nothing
  --json     the same as JSON

Exit codes: 0 no rotation is under way, or it has just ended; 1 it goes on; 2 it could not be looked at or done.`

/** How long processes that were just started are waited for, ms. */
const startsWithinMs = 60_000

/** `keep N`: of the file the key at this place alone, because nothing uses the others any more. */
type Step = 'none' | 'add' | 'use' | 'wait' | `keep ${number}`

interface State {
  step: Step
  /** Id of the key that makes new values. */
  key: string
  others: readonly string[]
  /** Processes that a step waits for. */
  behind: string[]
  uses: { use: string; count: number }[]
  problem: string | undefined
}

async function look(db: Db, config: Config, { starts }: { starts: boolean }): Promise<State> {
  const keys = requireSecretKeys(config)
  const sealer = await checkSameKey(db, keys)
  const found = { key: sealer.keyId, others: sealer.keyIds.slice(1), behind: [], uses: [], problem: undefined }
  if (keys.length === 1) return { ...found, step: starts ? 'add' : 'none' }
  const next = nextKey(keys, sealer)
  if (next) {
    const behind = await listWithout(db, keyIdOf(next))
    return { ...found, behind, step: behind.length > 0 ? 'wait' : 'use' }
  }
  const { uses, behind, problem } = await countUses({ db, clock, sealer }, keyMoves(config))
  const isOver = behind.length === 0 && uses.every(({ count }) => count === 0)
  const place = keys.findIndex((key) => keyIdOf(key) === sealer.keyId)
  return { ...found, uses, behind, problem, step: isOver ? `keep ${place}` : 'wait' }
}

/** The next step once processes that were just started had time to say which keys they have. */
async function lookWhenStarted(db: Db, config: Config, starts: boolean): Promise<State> {
  for (let left = startsWithinMs; ; left -= 1000) {
    const state = await look(db, config, { starts })
    if (state.behind.length === 0 || left <= 0) return state
    await pause(1000)
  }
}

async function useNext(db: Db, config: Config): Promise<void> {
  const keys = requireSecretKeys(config)
  const sealer = await checkSameKey(db, keys)
  const next = nextKey(keys, sealer)
  if (!next) throw new OperatorError('The newest key is in use already.')
  const behind = await listWithout(db, keyIdOf(next))
  if (behind.length > 0) throw new OperatorError(`These have not read the new key yet: ${behind.join(', ')}.`)
  await keepStatementKey({ db, clock, sealer })
  await switchKey(db, next, clock.now())
}

/** The file with the keys. */
function keyFileOf({ secretKey, dataDir }: Config): string {
  const named = process.env['ATOLL_SECRET_KEY_FILE']
  if (named) return resolve(installRoot, named)
  if (secretKey === undefined) return join(dataDir, 'secret.key')
  throw new OperatorError(
    'The key is the text of ATOLL_SECRET_KEY: put it into a file and name that with ATOLL_SECRET_KEY_FILE.',
  )
}

/** In one step, whatever is killed: the file is as before or as after, with the same owner and mode. */
function writeStep(config: Config, step: string): void {
  const file = keyFileOf(config)
  const text = readFileSync(file, 'utf8')
  const [, place] = /^keep (\d)$/.exec(step) ?? []
  if (step !== 'add' && place === undefined) throw new OperatorError(`There is no step "${step}".`)
  const next = place === undefined ? withAddedKey(text) : withKeysAt(text, [Number(place)])
  const { mode, uid, gid } = statSync(file)
  const draft = `${file}.new`
  // A new file: root must not write through another user's link in its place.
  rmSync(draft, { force: true })
  const handle = openSync(draft, 'wx', 0o600)
  writeSync(handle, next)
  fchownSync(handle, uid, gid)
  fchmodSync(handle, mode & 0o777)
  fsyncSync(handle)
  closeSync(handle)
  renameSync(draft, file)
  // Before the database tells processes to use a key, its only copy has to outlive a cut of power.
  const folder = openSync(dirname(file), 'r')
  fsyncSync(folder)
  closeSync(folder)
}

function tell({ step, key, others, behind, uses, problem }: State): void {
  say(
    others.length === 0
      ? `The key ${key} is alone.`
      : `New values are made with the key ${key}; there is ${others.join(', ')} too.`,
  )
  for (const { use, count } of uses) if (count > 0) say(`  ${count} of: ${use}`)
  for (const process of behind) say(`  Waits for ${process}: it has to be started again, with the same key file.`)
  if (problem !== undefined) say(`  Not moved: ${problem}`)
  if (step === 'none') say(`Nothing is under way. ${command} start begins.`)
  if (step === 'use') say('The new key can be used: every process knows it.')
  if (step === 'wait' && behind.length === 0) say(`Run ${command} again later: the old key goes once nothing uses it.`)
  if (step.startsWith('keep'))
    say('Nothing uses the old key any more. Backups from before open with it alone: keep it with them.')
}

const startAgain = 'Start the server again, then run this again.'

/** In a checkout, where file and database are the same person's: one step, and what has to be done after it. */
async function makeStep(db: Db, config: Config, state: State): Promise<number> {
  switch (state.step) {
    case 'none':
      tell(state)
      return 0
    case 'wait':
      tell(state)
      return 1
    case 'use':
      await useNext(db, config)
      say(`New values will be made with the new key. ${startAgain}`)
      return 1
    case 'add':
      writeStep(config, state.step)
      say(`A new key stands beside the old one. ${startAgain}`)
      return 1
    default:
      tell(state)
      writeStep(config, state.step)
      say('The old key is out of the file. Start the server again; the rotation is over.')
      return 0
  }
}

await runOperatorCommand(async ({ config, log }) => {
  const { values, positionals } = parseArgs({
    allowPositionals: true,
    options: {
      status: { type: 'boolean' },
      json: { type: 'boolean' },
      next: { type: 'boolean' },
      use: { type: 'boolean' },
      write: { type: 'string' },
      help: { type: 'boolean', short: 'h' },
    },
  })
  if (values.help) {
    say(help)
    return 0
  }
  const [word, ...rest] = positionals
  if (rest.length > 0 || (word !== undefined && word !== 'start'))
    throw new OperatorError(`${help}\n\nThere is no "${positionals.join(' ')}".`)
  if (values.write !== undefined) {
    writeStep(config, values.write)
    return 0
  }
  keyFileOf(config)
  return await withOperatorDatabase(config, log, async ({ db }) => {
    const starts = word === 'start'
    if (values.use) {
      await useNext(db, config)
      return 0
    }
    if (values.next) {
      say((await lookWhenStarted(db, config, starts)).step)
      return 0
    }
    const state = await look(db, config, { starts: starts && !values.status })
    if (!values.status && !values.json) return await makeStep(db, config, state)
    if (values.json) sayJson(state)
    else tell(state)
    return state.others.length === 0 ? 0 : 1
  })
})
