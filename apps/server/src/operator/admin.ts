/**
 * `npm run admin`: what the operator decides about accounts, and of the sweeper. Takes effect at once, on whoever is
 * signed in too.
 */
import { formatMajorUnits, type Money } from '@atoll/money'
import type { Config } from '../config.ts'
import {
  getUserid,
  listOperatedAccounts,
  type OperatedAccount,
  setMayCreate,
  setQuota,
  setRole,
} from '../modules/accounts/index.ts'
import type { SweepState } from '../modules/clusters/index.ts'
import { endCareful } from '../platform/careful.ts'
import { systemClock } from '../platform/clock.ts'
import type { Db } from '../platform/db/index.ts'
import { forgetFact, processFolderFact } from '../platform/deployment-facts.ts'
import { withOperatorDatabase } from '../start/operator-database.ts'
import { type AdminCommand, adminHelp, readAdminCommand } from './admin-command.ts'
import { runOperatorCommand, say } from './run-operator-command.ts'

/** Most of the server: only for commands that need it. */
const clusters = () => import('../modules/clusters/index.ts')
const billing = () => import('../modules/billing/index.ts')

async function carryOut(db: Db, config: Config, command: Exclude<AdminCommand, { name: 'help' }>): Promise<string> {
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
    case 'refund': {
      const { refundPayment } = await billing()
      const { refundId, amount } = await refundPayment({ db, clock: systemClock }, command.paymentId, command.amount)
      return `${amountText(amount)} goes back to the card as ${refundId}: asked of the gateway by a worker.`
    }
    case 'credit': {
      const { creditAccount } = await billing()
      const amount = await creditAccount({ db, clock: systemClock }, command)
      return `Posted ${amountText(amount)} as ${command.kind} for ${command.who}.`
    }
    case 'parked':
      return parkedText(await (await billing()).listParked(db))
    case 'unpark': {
      const userid = await getUserid(db, command.who)
      const wasParked = await (await billing()).unparkAccount(db, userid, new Date())
      return wasParked ? `The bills of ${command.who} are written again within a minute.` : 'It is not parked.'
    }
    case 'strays':
      return sweepText(await (await clusters()).describeSweep(db))
    case 'destroy-stray': {
      const count = await (await clusters()).destroyStrays(db, command.which)
      return count === 0 ? 'There are no strays.' : `${count} will be destroyed by the next sweep, within a minute.`
    }
    case 'release-domain': {
      const { releaseByOperator } = await import('./release-domain.ts')
      const userid = await releaseByOperator(db, config, command.domain)
      if (userid === undefined) return `Nobody has proven ${command.domain}.`
      return `${command.domain} is released: it was ${userid}'s. Names under it are kept for their DIDs for 90 days.`
    }
    case 'revoke-credential': {
      const { revokeByOperator } = await import('./release-domain.ts')
      const count = await revokeByOperator(db, command.domain)
      if (count === undefined) return `Nobody has proven ${command.domain}.`
      return count === 0
        ? `${command.domain} has no valid credential.`
        : `The credential of ${command.domain} is revoked.`
    }
    case 'undo-prune': {
      const { undoPrune } = await import('../modules/backups/index.ts')
      const undone = await undoPrune(db, command.backup)
      if (!undone) return `There is no backup ${command.backup}, or its owner deleted it: they can take that back.`
      const { restored, lost, snapshots } = undone
      return `${restored} files and ${snapshots} snapshots are back; of ${lost} files the bytes are gone.`
    }
    case 'resume': {
      if (!(await endCareful(db))) return 'This deployment is not careful: it was not restored, or was told already.'
      await (await clusters()).resumeSweep(db)
      return 'Restart the workers: money moves again then. Strays are stopped and kept for ATOLL_STRAY_DAYS.'
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

function amountText(amount: Money): string {
  return `${formatMajorUnits(amount)} ${amount.currency}`
}

function parkedText(parked: readonly { userid: string; parkedAt: Date; why: string }[]): string {
  if (parked.length === 0) return 'No account is parked.'
  return tabled([
    ['SINCE', 'DID', 'WHY'],
    ...parked.map(({ userid, parkedAt, why }) => [parkedAt.toISOString(), userid, why]),
  ])
}

function sweepText({ paused, strays }: SweepState): string {
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
  else say(await withOperatorDatabase(config, log, ({ db }) => carryOut(db, config, command)))
  return 0
})
