/**
 * `npm run admin`: what the operator decides about accounts, and of the sweeper. Takes effect at once, on whoever is
 * signed in too.
 */
import {
  listOperatedAccounts,
  type OperatedAccount,
  setMayCreate,
  setQuota,
  setRole,
} from '../modules/accounts/index.ts'
import type { SweepState } from '../modules/clusters/index.ts'
import type { Db } from '../platform/db/index.ts'
import { forgetFact, processFolderFact } from '../platform/deployment-facts.ts'
import { withOperatorDatabase } from '../start/operator-database.ts'
import { type AdminCommand, adminHelp, readAdminCommand } from './admin-command.ts'
import { runOperatorCommand, say } from './run-operator-command.ts'

/** Most of the server: only for commands that need it. */
const clusters = () => import('../modules/clusters/index.ts')

async function carryOut(db: Db, command: Exclude<AdminCommand, { name: 'help' }>): Promise<string> {
  switch (command.name) {
    case 'list':
      return tableOf(await listOperatedAccounts(db))
    case 'grant':
      await setRole(db, command.who, 'Admin')
      return `${command.who} is an Admin.`
    case 'revoke':
      await setRole(db, command.who, 'User')
      return `${command.who} is a User.`
    case 'quota':
      await setQuota(db, command.who, command.vCpuQuota)
      if (command.vCpuQuota === null) return `${command.who} may use the vCPU of its plan.`
      return `${command.who} may use ${command.vCpuQuota} vCPU, or more where its plan includes more.`
    case 'allow-create':
      await setMayCreate(db, command.who, command.may)
      return `${command.who} ${command.may ? 'may' : 'may not'} create clusters.`
    case 'strays':
      return tellSweep(await (await clusters()).describeSweep(db))
    case 'destroy-stray': {
      const count = await (await clusters()).destroyStrays(db, command.which)
      return count === 0 ? 'There are no strays.' : `${count} will be destroyed by the next sweep, within a minute.`
    }
    case 'resume-sweep': {
      const places = await (await clusters()).resumeSweep(db)
      if (places.length === 0) return 'Nothing is paused.'
      return `The next sweep, within a minute, goes on at: ${places.join(', ')}.`
    }
    case 'accept-folder': {
      const isForgotten = await forgetFact(db, processFolderFact)
      if (!isForgotten) return 'No folder is known: the first instance claims the one it is made in.'
      return 'Restart the workers: the folder in which the next instance is found or made is taken from now on.'
    }
  }
}

function tellSweep({ paused, strays }: SweepState): string {
  const table = tabled([
    ['INSTANCE', 'AT', 'FOUND', 'STATE'],
    ...strays.map(({ instanceId, place, foundAt, stoppedAt, doomed }) => [
      instanceId,
      place,
      foundAt.toISOString(),
      doomed ? 'to be destroyed' : stoppedAt ? 'stopped' : 'to be stopped',
    ]),
  ])
  return [...paused.map(({ why }) => `${why}.`), strays.length === 0 ? 'No strays are known.' : table].join('\n')
}

function tableOf(accounts: readonly OperatedAccount[]): string {
  if (accounts.length === 0) return 'Nobody has signed in yet.'
  return tabled([
    ['ROLE', 'MAY CREATE', 'VCPU', 'ID', 'DID'],
    ...accounts.map(({ role, canCreateCluster, vCpuQuota, name, userid }) => [
      role,
      canCreateCluster ? 'yes' : 'no',
      vCpuQuota === null ? 'plan' : String(vCpuQuota),
      name ?? '-',
      userid,
    ]),
  ])
}

function tabled(rows: readonly string[][]): string {
  const widths = rows[0]?.map((_, column) => Math.max(...rows.map((row) => row[column]?.length ?? 0))) ?? []
  return rows
    .map((row) =>
      row
        .map((cell, column) => cell.padEnd(widths[column] ?? 0))
        .join('  ')
        .trimEnd(),
    )
    .join('\n')
}

await runOperatorCommand(async ({ config, log }) => {
  const command = readAdminCommand(process.argv.slice(2))
  if (command.name === 'help') say(adminHelp)
  else say(await withOperatorDatabase(config, log, ({ db }) => carryOut(db, command)))
  return 0
})
