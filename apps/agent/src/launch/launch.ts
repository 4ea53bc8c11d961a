/**
 * First code of the installed agent: runs the version that `choice.ts` names, and returns to the one before when a new
 * one does not report in time, ends, or cannot be read. It stays as it was installed, so a new version that is broken
 * anywhere does not break the way back.
 */
import { existsSync, realpathSync } from 'node:fs'
import { join } from 'node:path'
import { pathToFileURL } from 'node:url'
import { Worker } from 'node:worker_threads'
import { exitCodes } from '../kernel/fatal.ts'
import { packageFolder } from '../kernel/package-folder.ts'
import { agentVersion } from '../kernel/version.ts'
import { decideStart, leaveTrial, readChoice, type Trial, writeChoice } from './choice.ts'
import { chosenVariable, startAgain } from './start-again.ts'

/** Longer than the trial: for a program that blocks this thread, so that its timers never come. ms */
const blockedMs = (withinMs: number) => withinMs + Math.min(5000, withinMs)
/** Ends that say nothing against the program. */
const innocent: readonly number[] = [exitCodes.ok, exitCodes.left, exitCodes.restart, exitCodes.otherProgram]

/** True when another version runs in this process; else this one is to go on. */
export async function launchOther(): Promise<boolean> {
  const home = process.env['ATOLL_AGENT_HOME']
  if (!home || process.env[chosenVariable] === packageFolder) return false
  const file = join(home, 'program/choice.json')
  const { program, choice, trial } = decideStart(readChoice(file), agentVersion)
  if (choice) writeChoice(file, choice)
  if (program.folder === null) return false
  const folder = join(home, 'program', program.folder)
  if (trial) watchTrial(file, trial)
  else if (!existsSync(join(folder, 'main.mjs'))) return false
  // As its code will find it: with another name of it, it would take itself for a base.
  process.env[chosenVariable] = realpathSync(folder)
  await import(pathToFileURL(join(folder, 'main.mjs')).href)
  return true
}

function watchTrial(file: string, { version, withinMs }: Trial): void {
  const isOver = () => readChoice(file)?.trial?.version !== version

  function goBack(reason: string): void {
    const choice = readChoice(file)
    if (choice?.trial?.version !== version) return
    writeChoice(file, leaveTrial(choice, reason))
    process.stderr.write(`${reason}\n`)
    startAgain()
    process.exit(exitCodes.restart)
  }

  setTimeout(
    () => goBack(`Version ${version} did not report within ${withinMs / 1000} s; went back.`),
    withinMs,
  ).unref()
  process.on('exit', (code) => {
    if (!isOver() && !innocent.includes(code))
      goBack(`Version ${version} ended with ${code} before it reported; went back.`)
  })
  const program = `
    const { workerData: { file, version, afterMs } } = require('node:worker_threads')
    const { readFileSync } = require('node:fs')
    setTimeout(() => {
      if (JSON.parse(readFileSync(file, 'utf8')).trial?.version === version) process.kill(process.pid, 'SIGKILL')
    }, afterMs)`
  const watchdog = new Worker(program, { eval: true, workerData: { file, version, afterMs: blockedMs(withinMs) } })
  watchdog.unref()
}
