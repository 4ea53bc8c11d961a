/**
 * Reads settings from the environment; a malformed one stops the start with its name and what is wrong.
 */
import { readFileSync } from 'node:fs'
import { resolve } from 'node:path'
import { OperatorError } from '../operator-error.ts'
import type { SettingTable, ValuesOf } from './setting.ts'

/** Settings that cannot be used; `message` names each with what is wrong, one a line. */
export class ConfigError extends OperatorError {
  override name = 'ConfigError'
}

type Environment = Readonly<Record<string, string | undefined>>

/**
 * The values of `settings` in `env`, secrets also from the files that `NAME_FILE` names, relative to `root`. Empty
 * values count as not set. Throws `ConfigError` naming all that cannot be read.
 */
export function readSettings<Table extends SettingTable>(
  settings: Table,
  env: Environment,
  root: string,
): ValuesOf<Table> {
  const problems: string[] = []
  const values: Record<string, unknown> = {}
  for (const [name, { schema, fallback, isSecret }] of Object.entries(settings)) {
    const given = isSecret ? readSecret(name, env, root) : env[name]
    if (typeof given === 'object') {
      problems.push(given.problem)
      continue
    }
    const parsed = schema.safeParse(given || fallback)
    if (parsed.success) values[name] = parsed.data
    else problems.push(`${name}: ${parsed.error.issues.map((issue) => issue.message).join('; ')}`)
  }
  if (problems.length > 0) throw new ConfigError(problems.join('\n'))
  // Every name was parsed by its own schema above.
  return values as ValuesOf<Table>
}

function readSecret(name: string, env: Environment, root: string): string | undefined | { problem: string } {
  const fileName = `${name}_FILE`
  const file = env[fileName]
  if (!file) return env[name]
  if (env[name]) return { problem: `${fileName}: ${name} is set too; set one of them` }
  try {
    const text = readFileSync(resolve(root, file), 'utf8').trim()
    // A secret that was not filled in must not count as a setting left to its default.
    return text === '' ? { problem: `${fileName}: the file is empty` } : text
  } catch (error) {
    return { problem: `${fileName}: ${error instanceof Error ? error.message : error}` }
  }
}

/** The files that secrets are read from, absolute. */
export function listSecretFiles(settings: SettingTable, env: Environment, root: string): string[] {
  return Object.entries(settings).flatMap(([name, { isSecret }]) => {
    const file = isSecret ? env[`${name}_FILE`] : undefined
    return file ? [resolve(root, file)] : []
  })
}

/** Names in `env` that resemble Atoll's settings and are none: most likely misspelt. */
export function findUnknownSettings(settings: SettingTable, env: Environment): string[] {
  const ours = (name: string) => name.startsWith('ATOLL_') && !/^ATOLL_(AGENT|TEST|NO_SKIP)/.test(name)
  const known = new Set(
    Object.entries(settings).flatMap(([name, { isSecret }]) => [name, ...(isSecret ? [`${name}_FILE`] : [])]),
  )
  return Object.keys(env).filter((name) => ours(name) && !known.has(name))
}

/** A line or two of `--help` for each setting. */
export function describeSettings(settings: SettingTable): string[] {
  return Object.entries(settings).map(([name, { fallback, fallbackText, text, isSecret }]) => {
    const shown = fallbackText ?? fallback
    const file = isSecret ? ` Or ${name}_FILE, a file that holds it.` : ''
    return `  ${name}\n      ${text}${file}${shown === undefined ? '' : ` Default: ${shown}.`}`
  })
}

/** The same for programs. */
export function listSettings(settings: SettingTable): object[] {
  return Object.entries(settings).map(([name, { fallback, fallbackText, text, isSecret }]) => ({
    name,
    text,
    isSecret: isSecret === true,
    default: fallbackText ?? fallback ?? null,
  }))
}
