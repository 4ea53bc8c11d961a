import { readConfig } from '../kernel/config.ts'
import { exitCodes, Fatal } from '../kernel/fatal.ts'
import { createLog, describeError } from '../kernel/log.ts'
import { startAgain } from '../launch/start-again.ts'
import { startAgent } from './agent.ts'

/** Runs until a signal or a fatal fault, then sets the exit code (`kernel/fatal.ts`). */
export async function runAgent(): Promise<void> {
  const log = createLog()
  process.on('uncaughtException', (error) => {
    log.error('agent', `defect: ${error.stack ?? describeError(error)}`)
    process.exit(exitCodes.unexpected)
  })
  try {
    const agent = await startAgent(readConfig(process.env), { log })
    const stopped = Promise.withResolvers<void>()
    let exitCode: number = exitCodes.ok
    void agent.dismissed.then((code) => {
      exitCode = code
      agent.stop().then(stopped.resolve, stopped.reject)
    })
    for (const signal of ['SIGTERM', 'SIGINT'] as const) {
      process.once(signal, () => {
        log.info('agent', `${signal}: stopping`)
        agent.stop().then(stopped.resolve, stopped.reject)
      })
    }
    const whenLinkFails = agent.linked.then(() => stopped.promise)
    await Promise.race([whenLinkFails, stopped.promise, agent.lost])
    log.info('agent', 'stopped')
    if (exitCode === exitCodes.otherProgram) startAgain()
    process.exit(exitCode === exitCodes.otherProgram ? exitCodes.restart : exitCode)
  } catch (error) {
    log.error('agent', error instanceof Fatal ? error.message : `cannot go on: ${describeError(error)}`)
    process.exit(error instanceof Fatal ? error.exitCode : exitCodes.unexpected)
  }
}
