import { statfs } from 'node:fs/promises'
import type { Condition } from './watch.ts'

/** Answers what is wrong in words; undefined: nothing. */
type Find = () => Promise<string | undefined>

export interface ConditionsDeps {
  dataDir: string
  /** The reason why the queue runs no jobs. */
  checkQueue: Find
  /** Whether backups of this deployment are set up. */
  isBackedUp: boolean
  /** Seconds since the newest; undefined: there is none. */
  selfBackupAge(): Promise<number | undefined>
  countFailedJobs(): Promise<number>
  catalogProblem(): string | undefined
  careful: Find
  pausedSweep: Find
  vaultRoom: Find
  /** Which of our name servers are silent. */
  nameServers: Find
  disputes(): Promise<{ open: number; firstDueBy: Date | null }>
  parkedAccounts(): Promise<number>
  now(): Date
}

/** A backup each day, and two hours for it, s. */
const oldestBackup = 26 * 3600
const leastFree = 0.05
const disputeMs = 3 * 24 * 3_600_000

export function standardConditions(deps: ConditionsDeps): Condition[] {
  const when = (count: number, text: string) => (count > 0 ? text : undefined)
  return [
    {
      name: 'worker',
      severity: 'critical',
      async find() {
        const problem = await deps.checkQueue()
        return problem && `${problem}: nothing is made, started, charged or mailed. Start a worker and look at its log.`
      },
    },
    {
      name: 'disk',
      severity: 'critical',
      isOfMachine: true,
      async find() {
        const { blocks, bavail } = await statfs(deps.dataDir)
        const free = bavail / blocks
        const text = `Only ${(free * 100).toFixed(1)} % of the disk with ${deps.dataDir} are free: make room.`
        return free < leastFree ? text : undefined
      },
    },
    {
      name: 'own backup',
      severity: 'critical',
      async find() {
        if (!deps.isBackedUp) return undefined
        const age = await deps.selfBackupAge()
        if (age === undefined) return 'This deployment was never backed up: atollctl backup.'
        return age > oldestBackup
          ? `The newest backup of this deployment is ${Math.round(age / 3600)} hours old: atollctl backup says why.`
          : undefined
      },
    },
    {
      name: 'dispute',
      severity: 'critical',
      async find() {
        const { firstDueBy } = await deps.disputes()
        if (firstDueBy === null || firstDueBy.getTime() - deps.now().getTime() > disputeMs) return undefined
        return `A bank waits for evidence until ${firstDueBy.toISOString()}: atollctl admin disputes.`
      },
    },
    { name: 'careful', severity: 'warning', find: deps.careful },
    { name: 'sweep', severity: 'warning', find: deps.pausedSweep },
    { name: 'vault', severity: 'warning', find: deps.vaultRoom },
    { name: 'name servers', severity: 'warning', find: deps.nameServers },
    {
      name: 'catalogue',
      severity: 'warning',
      isOfMachine: true,
      async find() {
        const problem = deps.catalogProblem()
        return problem && `The catalogue has a mistake, and the last good one is in use: ${problem}`
      },
    },
    {
      name: 'failed jobs',
      severity: 'warning',
      async find() {
        const count = await deps.countFailedJobs()
        return when(count, `${count} jobs were given up within a day: look for them in the log of the worker.`)
      },
    },
    {
      name: 'parked accounts',
      severity: 'warning',
      async find() {
        const count = await deps.parkedAccounts()
        return when(count, `Of ${count} accounts no bills are written: atollctl admin parked.`)
      },
    },
  ]
}
