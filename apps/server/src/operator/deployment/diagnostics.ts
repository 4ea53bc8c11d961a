/**
 * `atollctl diagnostics [FILE]`: a ZIP of what is known about a deployment, for the person who helps its operator. It
 * holds no secret: settings that are secrets are only named, and texts go through the log's redaction.
 */
import { writeFileSync } from 'node:fs'
import { availableParallelism, freemem, loadavg, release, totalmem } from 'node:os'
import { join, resolve } from 'node:path'
import { text } from 'node:stream/consumers'
import { settings } from '../../config.ts'
import { allChecks } from '../../modules/doctor/index.ts'
import { zipOf } from '../../platform/archives/zip.ts'
import { systemClock } from '../../platform/clock.ts'
import { currentBuild } from '../../platform/install.ts'
import { hideFromText } from '../../platform/log.ts'
import { OperatorError } from '../../platform/operator-error.ts'
import { runVerb } from '../run-operator-command.ts'
import { examineDeployment } from './examine-deployment.ts'

const verb = {
  verb: 'diagnostics',
  script: 'diagnostics',
  takes: '[FILE]',
  words: 1,
  text: `Writes a ZIP of the checks, the settings without secrets, this machine and the newest log lines, for the person who helps you.
FILE is in ATOLL_DATA_DIR where it is not named. Read it before you send it.`,
  codes: 'written; 2 it could not be.',
  options: { journal: { type: 'boolean' } },
} as const

/** The settings with their values; of a secret only that it is set. */
function describeEnvironment(): Record<string, string> {
  const given = Object.entries(settings).flatMap(([name, { isSecret }]) => {
    const value = process.env[name]
    if (isSecret && process.env[`${name}_FILE`]) return [[name, '(in a file)']]
    return value ? [[name, isSecret ? '(set)' : value]] : []
  })
  return Object.fromEntries(given)
}

/** Throws in words where the operator named a place that cannot be written. */
function writeWhereNamed(file: string, bytes: Uint8Array): void {
  try {
    writeFileSync(file, bytes, { mode: 0o600 })
  } catch (error) {
    throw new OperatorError(`${file} cannot be written: ${error instanceof Error ? error.message : error}`, {
      cause: error,
    })
  }
}

await runVerb(verb, async ({ config, log, values, positionals: [named] }) => {
  const at = systemClock.now()
  const name = `atoll-diagnostics-${at.toISOString().slice(0, 19).replaceAll(':', '')}.zip`
  const file = named === undefined ? join(config.dataDir, name) : resolve(process.env['INIT_CWD'] ?? '', named)
  const json = (value: unknown) => JSON.stringify(value, null, 2)
  const machine = {
    ...currentBuild(),
    node: process.version,
    kernel: release(),
    processors: availableParallelism(),
    memory: totalmem(),
    free: freemem(),
    load: loadavg(),
  }
  const report = await examineDeployment({ config, log }, allChecks)
  const files = [
    { name: 'machine.json', text: json(machine) },
    { name: 'settings.json', text: json(describeEnvironment()) },
    { name: 'checks.json', text: json(report) },
    ...(values.journal === true ? [{ name: 'log.txt', text: await text(process.stdin) }] : []),
  ]
  const bytes = zipOf(
    files.map((one) => ({ name: one.name, bytes: Buffer.from(hideFromText(one.text)) })),
    at,
  )
  writeWhereNamed(file, bytes)
  return { code: 0, data: { file, files: files.map((one) => one.name) }, lines: [`Written: ${file}`] }
})
