/**
 * `atollctl rollout start|pause|continue|back|show [--json]`: brings this release's agent to clusters in waves, or
 * stops that. Exit code 0; 2 when it could not be done.
 */
import { parseArgs } from 'node:util'
import { readOfferedAgent } from '../../modules/agents/index.ts'
import { actAsOperator, dayMs, describeAgents, rolloutVerbs } from '../../modules/rollouts/index.ts'
import { systemClock as clock } from '../../platform/clock.ts'
import type { Db } from '../../platform/db/index.ts'
import { OperatorError } from '../../platform/operator-error.ts'
import { Refusal } from '../../platform/refusal.ts'
import { withOperatorDatabase } from '../../start/operator-database.ts'
import { runOperatorCommand, say, sayJson } from '../run-operator-command.ts'

const help = `Usage: atollctl rollout [VERB] [--json]

  start      roll out the agent of this release: own clusters, 5 %, 25 %, the rest, a day each
  pause      ask no further cluster
  continue   go on, and ask those that failed again
  back       have every updated cluster go back to the version before
  show       how it stands (the default)

  --json     how it stands afterwards, as JSON

Exit codes: 0 done; 2 it could not be, or the command was not understood.`

const offered = () => readOfferedAgent()

async function change(db: Db, word: string): Promise<void> {
  const verb = rolloutVerbs.find((one) => one === word)
  if (verb === undefined) throw new OperatorError(`There is no verb ${word}.\n${help}`)
  const { offered: version, rollout } = await describe(db)
  if (verb === 'start' && version === null) throw new OperatorError('This installation offers no agent: npm run build')
  const act = { verb, id: rollout?.rolloutId ?? '', version: version ?? '' }
  await db.transaction().execute((trx) => actAsOperator({ clock, offered }, trx, act))
}

const describe = async (db: Db) => await describeAgents(db, { now: clock.now(), offer: await offered(), waveMs: dayMs })

await runOperatorCommand(async ({ config, log }) => {
  const options = { json: { type: 'boolean' }, help: { type: 'boolean', short: 'h' } } as const
  const { positionals, values } = parseArgs({ options, allowPositionals: true })
  if (values.help) {
    say(help)
    return 0
  }
  const [verb = 'show', ...rest] = positionals
  if (rest.length > 0) throw new OperatorError('Name one verb.')
  const programs = await withOperatorDatabase(config, log, async ({ db }) => {
    try {
      if (verb !== 'show') await change(db, verb)
    } catch (error) {
      if (error instanceof Refusal) throw new OperatorError(error.message)
      throw error
    }
    return await describe(db)
  })
  if (values.json) {
    sayJson(programs)
    return 0
  }
  const { rollout, isSigned, offered: version, versions } = programs
  say(
    `Offered: ${version ?? 'none'}${version !== null && !isSigned ? ', NOT SIGNED: agents install no such release' : ''}`,
  )
  for (const one of versions)
    say(`  ${one.version}: ${one.clusters} clusters, ${one.offline} of them offline, ${one.state}`)
  if (!rollout) {
    say('No rollout yet.')
    return 0
  }
  const because = rollout.pausedBecause === null ? '' : ` (${rollout.pausedBecause})`
  say(`Rollout of ${rollout.version}: ${rollout.state}${because}, wave ${rollout.waves[rollout.wave]?.wave}`)
  for (const { wave, clusters, updated, failed, returned, asked, offline } of rollout.waves)
    say(
      `  ${wave}: ${clusters} clusters, ${updated} updated, ${failed} failed, ${returned} gone back, ${asked} asked, ${offline} offline`,
    )
  for (const { clusterId, reason } of rollout.failures) say(`  ${clusterId}: ${reason}`)
  return 0
})
