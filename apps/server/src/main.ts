import { fileURLToPath } from 'node:url'
import { ConfigError, settingsHelp, unknownSettings } from './platform/config.ts'
import { FolderTaken } from './platform/folder-lock.ts'
import { createLog, type Log } from './platform/log.ts'
import { type Command, readCommand } from './start/command-line.ts'
import { openDatabase } from './start/database.ts'
import { PortTaken } from './start/listen.ts'
import { startRoles } from './start/roles.ts'

const projectRoot = fileURLToPath(new URL('../../..', import.meta.url))

/**
 * Runs the server with these arguments until it is told to stop (Ctrl-C, SIGTERM); sets the exit code. Standard output
 * carries what is meant for the person who started it, standard error the log.
 */
export async function main(args: string[]): Promise<void> {
  try {
    await runCommand(readCommand(args, process.env, projectRoot))
  } catch (error) {
    process.exitCode = 1
    // What an operator can correct is told in one sentence; anything else with its whole stack.
    const plain = [ConfigError, FolderTaken, PortTaken].some((kind) => error instanceof kind)
    const text = error instanceof Error ? (plain ? error.message : error.stack) : String(error)
    process.stderr.write(`${text}\n`)
  }
}

async function runCommand(command: Command): Promise<void> {
  if (command.name === 'help') {
    process.stdout.write(settingsHelp())
    return
  }
  const log = createLog({ level: command.config.logLevel })
  for (const name of unknownSettings(process.env)) log.warn({ name }, 'this setting is not known and has no effect')
  if (command.name === 'migrate') {
    const database = await openDatabase(command.config, log)
    await database.close()
    await database.stopServer()
    return
  }
  await serve(command.config, log)
}

async function serve(config: Extract<Command, { name: 'serve' }>['config'], log: Log): Promise<void> {
  const stopRequest = Promise.withResolvers<'asked' | 'fatal'>()
  let signals = 0
  const onSignal = (signal: NodeJS.Signals) => {
    signals += 1
    log.info({ signal }, signals === 1 ? 'stopping' : 'stopping at once')
    // Asked twice: whoever asks does not want to wait. The next start repairs what this leaves.
    if (signals > 1) process.exit(130)
    stopRequest.resolve('asked')
  }
  process.on('SIGINT', onSignal)
  process.on('SIGTERM', onSignal)
  const server = await startRoles(config, log, (error) => {
    log.fatal({ err: error }, 'the server cannot go on')
    stopRequest.resolve('fatal')
  })
  log.info({ roles: config.roles, dataDir: config.dataDir, pid: process.pid }, 'started')
  for (const line of server.addresses) process.stdout.write(`${line}\n`)

  const reason = await stopRequest.promise
  const clean = await server.stop()
  log.info({ clean }, 'stopped')
  // Not left to the event loop: something that did not stop in time would keep the process alive.
  process.exit(reason === 'asked' && clean ? 0 : 1)
}

if (import.meta.main) await main(process.argv.slice(2))
