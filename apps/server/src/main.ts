import { rereadSecrets, settings, settingsHelp } from './config.ts'
import { currentBuild, installRoot } from './platform/install.ts'
import { createLog, type Log } from './platform/log.ts'
import { OperatorError } from './platform/operator-error.ts'
import { findUnknownSettings, listSettings } from './platform/settings/read-settings.ts'
import { type Command, readCommand } from './start/command-line.ts'
import { openDatabase, readPending } from './start/database.ts'
import { startRoles } from './start/roles.ts'
import { createSystemd } from './start/systemd.ts'

/** One Ctrl-C can arrive twice: from the terminal, and passed on by npm and the start script. ms */
const sameSignalMs = 1000

/**
 * Runs the server with these arguments until it is asked to stop (Ctrl-C, SIGTERM, a closed terminal); sets the exit
 * code. Standard output carries what is meant for the person who started it, standard error the log.
 */
export async function main(args: string[]): Promise<void> {
  try {
    await runCommand(readCommand(args, process.env, installRoot))
  } catch (error) {
    // Problems that an operator can correct are reported in words; any other error with its whole stack.
    const text = error instanceof OperatorError ? error.message : error instanceof Error ? error.stack : error
    process.stderr.write(`${text}\n`)
    // Not left to the event loop: what a start that failed half-way holds open must not keep the process.
    process.exit(1)
  }
}

async function runCommand(command: Command): Promise<void> {
  if (command.name === 'help') {
    process.stdout.write(command.isJson ? `${JSON.stringify(listSettings(settings), null, 2)}\n` : settingsHelp())
    return
  }
  const log = createLog({ level: command.config.logLevel })
  for (const name of findUnknownSettings(settings, process.env))
    log.warn({ name }, 'this setting is not known and has no effect')
  if (command.name === 'migrate') {
    const database = await openDatabase(command.config, log, true)
    await database.close()
    await database.stopServer()
    return
  }
  if (command.name === 'pending') {
    process.stdout.write(`${JSON.stringify(await readPending(command.config, log))}\n`)
    return
  }
  await serve(command.config, log)
}

async function serve(config: Extract<Command, { name: 'serve' }>['config'], log: Log): Promise<void> {
  const stopRequest = Promise.withResolvers<'asked' | 'fatal'>()
  let askedAt: number | undefined
  const onSignal = (signal: NodeJS.Signals) => {
    if (askedAt === undefined) {
      askedAt = performance.now()
      log.info({ signal }, 'stopping')
      stopRequest.resolve('asked')
    } else if (performance.now() - askedAt > sameSignalMs) {
      // A second signal means that the operator does not want to wait. The next start repairs what this leaves.
      log.warn({ signal }, 'stopping at once')
      process.exit(130)
    }
  }
  // A full disk, or a reader that went away, ends nothing.
  for (const stream of [process.stdout, process.stderr]) stream.on('error', () => undefined)
  for (const signal of ['SIGINT', 'SIGTERM'] as const) process.on(signal, onSignal)
  // Of a terminal it says that nobody is there any more; a service is asked to read its secrets again.
  process.on('SIGHUP', process.stdin.isTTY ? onSignal : () => reread(config, log))
  // A defect: what this process knows can no longer be trusted, but what it holds is still put down in order.
  process.on('uncaughtException', (error) => {
    // First: whatever becomes of the words, the stop goes on. One that throws here would end the process at once.
    stopRequest.resolve('fatal')
    try {
      log.fatal({ err: error }, 'an error that nothing handled')
    } catch {
      // There is nowhere left to say it.
    }
  })
  const systemd = createSystemd(process.env, process.pid, log)
  const server = await startRoles(config, log)
  const watchdog = systemd.startWatchdog()
  await systemd.notify('--ready', `--status=roles ${config.roles.join(', ')}`)
  log.info({ ...currentBuild(), roles: config.roles, dataDir: config.dataDir, pid: process.pid }, 'started')
  for (const line of server.addresses) process.stdout.write(`${line}\n`)

  const reason = await stopRequest.promise
  await systemd.notify('STOPPING=1')
  const clean = await server.stop()
  watchdog.stop()
  log.info({ clean }, 'stopped')
  // Not left to the event loop: something that did not stop in time would keep the process alive.
  process.exit(reason === 'asked' && clean ? 0 : 1)
}

/** A secret that cannot be read leaves all as they are. */
function reread(config: Extract<Command, { name: 'serve' }>['config'], log: Log): void {
  try {
    log.info({ changed: rereadSecrets(config, process.env, installRoot) }, 'secrets were read again')
  } catch (error) {
    log.error({ err: error }, 'secrets could not be read again, and stay as they were')
  }
}

if (import.meta.main) await main(process.argv.slice(2))
