import { parseArgs } from 'node:util'
import { type Config, loadConfig } from '../config.ts'
import { ConfigError } from '../platform/settings/read-settings.ts'

export type Command =
  | { name: 'help'; isJson: boolean }
  /** Bring the database up to date and end. */
  | { name: 'migrate'; config: Config }
  /** Say what that would do, and end. */
  | { name: 'pending'; config: Config }
  | { name: 'serve'; config: Config }

/**
 * Reads arguments and settings: `[migrate | pending] [--roles api,worker,edge,dns,vault] [--help [--json]]`. `root` is
 * the project's folder, against which relative paths are resolved. Throws `ConfigError` with what to correct.
 */
export function readCommand(args: string[], env: NodeJS.ProcessEnv, root: string): Command {
  const { values, positionals } = parseArguments(args)
  if (values.help) return { name: 'help', isJson: values.json === true }
  const config = loadConfig(values.roles === undefined ? env : { ...env, ATOLL_ROLES: values.roles }, root)
  const [command, ...rest] = positionals
  if (rest.length === 0 && command === undefined) return { name: 'serve', config }
  if (rest.length === 0 && (command === 'migrate' || command === 'pending')) return { name: command, config }
  throw new ConfigError(`There is no command "${positionals.join(' ')}". Commands: migrate, pending, or none to start.`)
}

/** Whether what this command starts hands out what is built: pages, and the agent. Only api and worker do. */
export function needsBuilds(command: Command): boolean {
  return command.name === 'serve' && command.config.roles.some((role) => role === 'api' || role === 'worker')
}

function parseArguments(args: string[]) {
  try {
    return parseArgs({
      args,
      allowPositionals: true,
      options: { help: { type: 'boolean', short: 'h' }, json: { type: 'boolean' }, roles: { type: 'string' } },
    })
  } catch (error) {
    throw new ConfigError(error instanceof Error ? error.message : String(error))
  }
}
