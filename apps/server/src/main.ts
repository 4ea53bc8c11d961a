import { fileURLToPath } from 'node:url'
import { ConfigError, settingsHelp, unknownSettings } from './platform/config.ts'
import { FolderTaken } from './platform/folder-lock.ts'
import { createLog } from './platform/log.ts'
import { readCommand } from './start/command-line.ts'
import { openDatabase } from './start/database.ts'

const projectRoot = fileURLToPath(new URL('../../..', import.meta.url))

/** Runs the server with these arguments until it is told to stop; sets the exit code. */
export async function main(args: string[]): Promise<void> {
  try {
    const command = readCommand(args, process.env, projectRoot)
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
  } catch (error) {
    process.exitCode = 1
    // What an operator can correct is told in one sentence; anything else with its whole stack.
    const plain = error instanceof ConfigError || error instanceof FolderTaken
    process.stderr.write(`${plain ? error.message : error instanceof Error ? error.stack : String(error)}\n`)
  }
}

if (import.meta.main) await main(process.argv.slice(2))
