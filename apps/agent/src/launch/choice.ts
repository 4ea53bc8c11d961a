/**
 * Which version of the agent runs. The installed version (the base: of an image, a package or a checkout) starts first.
 * Newer versions lie in `program/<name>/` of the home, and `program/choice.json` says which is in use:
 *   no file    the base
 *   trial      started once; it becomes `current` when it is confirmed, because the control plane answered it
 *   current    confirmed
 * If the base is no longer the one that the choice was made with, it wins: somebody installed a newer one over it.
 * Written by the launcher and by the one running agent, each file whole. No zod: every start waits for this.
 */
import { mkdirSync, readFileSync, renameSync, writeFileSync } from 'node:fs'
import { dirname } from 'node:path'

export interface Program {
  version: string
  /** Its folder in `program/`; null: the base. */
  folder: string | null
}

export interface Trial extends Program {
  taskId: string
  withinMs: number
  isStarted: boolean
}

export interface Choice {
  /** The base's version when this was written. */
  base: string
  current: Program
  /** The version to return to. */
  previous: Program | null
  trial: Trial | null
  /** The last trial that did not report. */
  failed: { taskId: string; reason: string } | null
}

export interface Start {
  program: Program
  /** To be written before it starts; undefined: it stays. */
  choice?: Choice
  trial?: Trial
}

/** The version to start now. A trial that was started before has ended without being confirmed. */
export function decideStart(choice: Choice | undefined, base: string): Start {
  const own: Program = { version: base, folder: null }
  if (!choice) return { program: own }
  if (choice.base !== base) {
    // A task that waits for its trial is told the end, whichever version runs.
    const failed = choice.trial
      ? { taskId: choice.trial.taskId, reason: 'Another version was installed over it.' }
      : choice.failed
    return { program: own, choice: { base, current: own, previous: null, trial: null, failed } }
  }
  if (!choice.trial) return { program: choice.current }
  if (choice.trial.isStarted) {
    const back = leaveTrial(choice, `Version ${choice.trial.version} ended before it reported; went back.`)
    return { program: back.current, choice: back }
  }
  const trial = { ...choice.trial, isStarted: true }
  return { program: trial, choice: { ...choice, trial }, trial }
}

/** Without its trial, which did not report. */
export function leaveTrial(choice: Choice, reason: string): Choice {
  const { trial } = choice
  return trial ? { ...choice, trial: null, failed: { taskId: trial.taskId, reason } } : choice
}

/** The trial is what runs from now on. */
export function confirmTrial(choice: Choice): Choice {
  const { trial, current } = choice
  if (!trial) return choice
  return { ...choice, current: { version: trial.version, folder: trial.folder }, previous: current, trial: null }
}

/** Back to the version before; undefined where there is none. */
export function stepBack(choice: Choice): Choice | undefined {
  return choice.previous ? { ...choice, current: choice.previous, previous: null, trial: null } : undefined
}

export function readChoice(file: string): Choice | undefined {
  try {
    return JSON.parse(readFileSync(file, 'utf8')) as Choice // our own file, always whole
  } catch (error) {
    if (error instanceof Error && 'code' in error && error.code === 'ENOENT') return undefined
    throw error
  }
}

export function writeChoice(file: string, choice: Choice): void {
  mkdirSync(dirname(file), { recursive: true, mode: 0o700 })
  writeFileSync(`${file}.new`, JSON.stringify(choice), { mode: 0o600, flush: true })
  renameSync(`${file}.new`, file)
}
