/**
 * Another version takes over. Nothing is switched before the database is ready for it; once it is switched, it is
 * watched, and the switch is undone if it fails. After a kill at any step, the same command continues: finished steps
 * are found done, and from before the switch to the end of the watch `interrupted` names the version that was in use,
 * so that roles that still run it are switched and watched too.
 *   nothing changed → backup → (copy) → migrate → switch, the worker first → watch 60 s → old versions removed
 */
import { OperatorError } from '../../../platform/operator-error.ts'
import { decideWayBack, estimateCopySeconds, findFailure, listNeedless, type Outlook, type Wanted } from './decide.ts'

/** This machine, as an upgrade uses it. */
export interface Machine {
  say(line: string): void
  current(): string
  /** The version before the one in use, that `rollback` goes back to. */
  previous(): string | undefined
  notePrevious(version: string): void
  /** The version that was in use before a switch that has not ended; undefined: none is under way. */
  interrupted(): string | undefined
  noteSwitch(from: string | undefined): void
  listLaidOut(): string[]
  /** Throws an `OperatorError` where that version may not run here: the database, or its settings. */
  ask(version: string): Promise<Outlook>
  backUp(): Promise<void>
  /** Copies the database while no role runs. */
  copy(): Promise<void>
  migrate(version: string): Promise<void>
  use(version: string): void
  /** Roles that run, the worker first. */
  listRoles(): Promise<string[]>
  /** Throws unless the role is ready in the version in use. */
  restart(role: string): Promise<void>
  /** Those that are not ready; undefined: all of `roles` are. */
  findUnready(roles: readonly string[]): Promise<string | undefined>
  pause(): Promise<void>
  remove(version: string): void
}

export type Outcome = 'done' | 'nothing to do' | 'went back' | 'not switched' | 'failed'

/** Looks, a second apart. */
const looks = 60

export async function upgrade(machine: Machine, to: string, wanted: Wanted): Promise<Outcome> {
  const { say } = machine
  const from = machine.interrupted() ?? machine.current()
  if (machine.current() === to && machine.interrupted() === undefined) {
    say(`Version ${to} is in use already.`)
    return 'nothing to do'
  }
  const outlook = await machine.ask(to)
  const verdict = decideWayBack(from, outlook, wanted)
  say(`From ${from} to ${to}: ${outlook.pending.length} migrations.`)
  for (const { name, oldestProgram } of outlook.pending)
    say(`  ${name}${oldestProgram === undefined ? '' : `, after which programs from ${oldestProgram} on may run`}`)
  if ('refusal' in verdict) throw new OperatorError(verdict.refusal)
  if (wanted.isBackedUp) await machine.backUp()
  else say('Without a backup, as asked.')
  if (wanted.isCopied) {
    say(`Nobody reaches the database for about ${estimateCopySeconds(outlook.databaseBytes)} s while it is copied.`)
    await machine.copy()
  }
  try {
    await machine.migrate(to)
  } catch (error) {
    say(`The database could not be made ready for ${to}: ${messageOf(error)}`)
    // Migrations that came before the one that failed stay.
    const problem = await findWhyNot(machine, from)
    if (problem === undefined) {
      say(`Version ${from} goes on.`)
      return 'not switched'
    }
    say(`Version ${from} runs on, and does not start again on this database: ${problem}`)
    return 'failed'
  }
  const failure = await switchTo(machine, from, to)
  if (failure === undefined) {
    if (from !== to) machine.notePrevious(from)
    machine.noteSwitch(undefined)
    if ((await machine.listRoles()).length === 0) {
      // Whether it works is not known yet: no version is removed.
      say(`Version ${to} is the one to start. No role runs here, so nothing was watched: systemctl start atoll.target`)
      return 'done'
    }
    for (const version of listNeedless(machine.listLaidOut(), [from, to])) machine.remove(version)
    say(`Version ${to} is in use. Back to ${from}: atollctl rollback`)
    return 'done'
  }
  say(`Version ${to} does not work here: ${failure}`)
  // Asked and not concluded from what was pending: an earlier try may have migrated.
  const problem = await findWhyNot(machine, from)
  if (problem !== undefined) {
    say(`Version ${from} cannot run on this database: ${problem}`)
    say(`Bring back the database of before, then: atollctl use ${from}`)
    return 'failed'
  }
  return (await goBack(machine, from)) ? 'went back' : 'failed'
}

/** Why `version` may not run on the database as it is; undefined: it may. */
async function findWhyNot(machine: Machine, version: string): Promise<string | undefined> {
  try {
    await machine.ask(version)
    return undefined
  } catch (error) {
    return messageOf(error)
  }
}

/** The version before, on the database as it is. */
export async function rollback(machine: Machine): Promise<Outcome> {
  // A switch that was killed is undone; else it is the version before the last switch.
  const interrupted = machine.interrupted()
  const [from, to] = [machine.current(), interrupted ?? machine.previous()]
  if (to === undefined || (to === from && interrupted === undefined) || !machine.listLaidOut().includes(to))
    throw new OperatorError('No version of before is laid out here. atollctl versions lists them.')
  const { pending } = await machine.ask(to)
  if (pending.length > 0)
    throw new OperatorError(`The database lacks migrations of ${to}, the first of them ${pending[0]?.name}.`)
  const failure = await switchTo(machine, interrupted ?? from, to)
  if (failure !== undefined) {
    machine.say(`Version ${to} does not work here: ${failure}`)
    return (await goBack(machine, from)) ? 'went back' : 'failed'
  }
  if (from !== to) machine.notePrevious(from)
  machine.noteSwitch(undefined)
  machine.say(`Version ${to} is in use. The database is as it was. Forward again: atollctl upgrade ${from}`)
  return 'done'
}

/** Switches role by role and watches; what fails, undefined: nothing. */
async function switchTo(machine: Machine, from: string, version: string): Promise<string | undefined> {
  const roles = await machine.listRoles()
  machine.noteSwitch(from)
  machine.use(version)
  for (const role of roles) {
    try {
      await machine.restart(role)
      machine.say(`${role} runs ${version}.`)
    } catch (error) {
      return messageOf(error)
    }
  }
  const misses: (string | undefined)[] = []
  while (roles.length > 0 && misses.length < looks) {
    misses.push(await machine.findUnready(roles))
    const failure = findFailure(misses)
    if (failure !== undefined) return failure
    await machine.pause()
  }
  return undefined
}

/** True once every role is ready in `version`. */
async function goBack(machine: Machine, version: string): Promise<boolean> {
  machine.say(`Going back to ${version}.`)
  machine.use(version)
  let isBack = true
  for (const role of await machine.listRoles()) {
    try {
      await machine.restart(role)
    } catch (error) {
      // The others still have to go back.
      machine.say(messageOf(error))
      isBack = false
    }
  }
  if (isBack) machine.noteSwitch(undefined)
  machine.say(
    isBack ? `Version ${version} is in use, as before.` : `Version ${version} does not start: atollctl status`,
  )
  return isBack
}

function messageOf(error: unknown): string {
  return error instanceof Error ? error.message : String(error)
}
