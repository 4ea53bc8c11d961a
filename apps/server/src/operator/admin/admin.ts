/**
 * `npm run admin`: the operator's decisions about accounts and about the sweeper. They take effect at once, for people
 * who are signed in too.
 */
import { formatMajorUnits, type Money, money } from '@atoll/money'
import type { Config } from '../../config.ts'
import {
  changeStaff,
  getUserid,
  listOperatedAccounts,
  type OperatedAccount,
  setMayCreate,
  setMaySendMail,
  setQuota,
  setRole,
} from '../../modules/accounts/index.ts'
import type { ListedDispute } from '../../modules/billing/index.ts'
import type { SweepState } from '../../modules/clusters/index.ts'
import { acceptClock, beCareful, endCareful, findCareful, listEvidence } from '../../platform/careful/index.ts'
import { systemClock } from '../../platform/clock.ts'
import { requireSecretKeys } from '../../platform/data-folder/secret-key.ts'
import type { Db } from '../../platform/db/index.ts'
import { forgetFact, processFolderFact } from '../../platform/facts/index.ts'
import { enqueueJob } from '../../platform/jobs/index.ts'
import { checkSameKey } from '../../platform/keys/index.ts'
import { OperatorError } from '../../platform/operator-error.ts'
import { Refusal } from '../../platform/refusal.ts'
import { withOperatorDatabase } from '../../start/operator-database.ts'
import { runOperatorCommand, say, sayJson } from '../run-operator-command.ts'
import { type AdminCommand, adminHelp, readAdminCommand } from './admin-command.ts'

async function eraseRestored(db: Db, config: Config): Promise<number> {
  const { eraseAgain } = await import('../../modules/rights/index.ts')
  const sealer = await checkSameKey(db, requireSecretKeys(config))
  return await eraseAgain({ db, clock: systemClock, config, sealer })
}

/** Most of the server: only for commands that need it. */
const clusters = () => import('../../modules/clusters/index.ts')
const billing = () => import('../../modules/billing/index.ts')

/** A sentence, or rows below their headings with what has to be said before them. */
type Answer = string | { before?: readonly string[]; rows: readonly string[][]; none: string }

async function carryOut(db: Db, config: Config, command: Exclude<AdminCommand, { name: 'help' }>): Promise<Answer> {
  switch (command.name) {
    case 'list':
      return tableOf(await listOperatedAccounts(db))
    case 'grant':
      await setRole(db, command.who, 'Admin')
      return `${command.who} is an Admin.`
    case 'revoke':
      await setRole(db, command.who, 'User')
      return `${command.who} is a User.`
    case 'staff': {
      const userid = await getUserid(db, command.who)
      const change = {
        userid,
        role: command.role,
        source: { actor: 'system', ip: null },
        now: systemClock.now(),
      } as const
      await db
        .transaction()
        .execute((trx) => changeStaff(trx, change))
        .catch(toOperatorError)
      return command.role === null ? `${command.who} has no staff role.` : `${command.who} is ${command.role} now.`
    }
    case 'quota':
      await setQuota(db, command.who, command.vCpuQuota)
      if (command.vCpuQuota === null) return `${command.who} may use the vCPU of its plan.`
      return `${command.who} may use ${command.vCpuQuota} vCPU, or more where its plan includes more.`
    case 'allow-create':
      await setMayCreate(db, command.who, command.may)
      return `${command.who} ${command.may ? 'may' : 'may not'} create clusters.`
    case 'allow-mail':
      await setMaySendMail(db, command.who, command.may)
      return `Instances of ${command.who} ${command.may ? 'may' : 'may not'} reach port 25 elsewhere, each from its next start.`
    case 'refund': {
      const { refundPayment } = await billing()
      const deps = { ...(await withGateway(db, config)), keepUsageCovered: await openUsageCover(db, config) }
      const { refundId, amount } = await refundPayment(deps, command.paymentId, command.amount)
      return `${amountText(amount)} goes back to the card as ${refundId}: asked of the gateway by a worker.`
    }
    case 'end-refund': {
      const { endRefundByHand } = await billing()
      const amount = await endRefundByHand({ db, clock: systemClock }, command.refundId, command.ref)
      return `${amountText(amount)} ${command.ref === null ? 'is on the balance again' : 'went back to the card'}.`
    }
    case 'adopt-capture': {
      const { adoptCapture } = await billing()
      const { userid, amount } = await adoptCapture(await withGateway(db, config), command.which, command.who)
      return `${amountText(amount)} is the credit of ${userid} now; what they owe is tried with it.`
    }
    case 'disputes':
      return disputesText(await (await billing()).listDisputes(db))
    case 'dispute-evidence': {
      const { writeEvidence } = await import('./dispute-evidence.ts')
      return await writeEvidence(db, config, command.dispute)
    }
    case 'archive': {
      const { writeArchive } = await import('./sealed-archive.ts')
      return await writeArchive(db, config, command.accountId)
    }
    case 'decide-dispute': {
      const { endDisputeByHand, findDisputeBy } = await billing()
      const gateway = { name: config.payments.gateway }
      const dispute = await findDisputeBy(db, command.dispute)
      if (dispute && (dispute.gateway !== 'sandbox' || gateway.name !== 'sandbox')) {
        const deps = { db, clock: systemClock, gateway, keepUsageCovered: await openUsageCover(db, config) }
        const kept = await endDisputeByHand(deps, dispute.id, command.verdict)
        return `It is ${command.verdict}: the bank keeps ${amountText(kept)}.`
      }
      const { decideSandboxDispute } = await import('../../modules/payments/index.ts')
      const isDecided =
        dispute !== undefined &&
        (await decideSandboxDispute({ db, clock: systemClock }, dispute.gateway_ref, command.verdict))
      if (!isDecided) return `The sandbox has no dispute ${command.dispute} that is not decided.`
      return `It is ${command.verdict}: a worker takes that over within a minute.`
    }
    case 'credit': {
      const { creditAccount } = await billing()
      const keepUsageCovered = await openUsageCover(db, config)
      const amount = await creditAccount({ db, clock: systemClock, keepUsageCovered }, command)
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
      if (count === 0) return 'There are no strays.'
      const { strays } = await (await clusters()).describeSweep(db)
      const { zoneStraysJob } = await import('../../modules/dns/index.ts')
      if (strays.some(({ kind, doomed }) => kind === 'zone' && doomed)) await enqueueJob(db, zoneStraysJob, {})
      return `${count} will be destroyed by the next sweep, within a minute.`
    }
    case 'release-domain': {
      const { releaseByOperator } = await import('./release-domain.ts')
      const userid = await releaseByOperator(db, config, command.domain)
      if (userid === undefined) return `Nobody has proven ${command.domain}.`
      return `${command.domain} is released: it was ${userid}'s. Names under it are kept for their DIDs for a year.`
    }
    case 'revoke-credential': {
      const { revokeByOperator } = await import('./release-domain.ts')
      const count = await revokeByOperator(db, command.domain)
      if (count === undefined) return `Nobody has proven ${command.domain}.`
      return count === 0
        ? `${command.domain} has no valid credential.`
        : `The credential of ${command.domain} is revoked.`
    }
    case 'retire-issuer': {
      const { retireIssuer } = await import('../../modules/credentials/index.ts')
      const did = await retireIssuer(db, systemClock.now())
      return did === undefined
        ? 'No key issues credentials yet.'
        : `${did} no longer issues credentials; the next one makes a new key.`
    }
    case 'retire-statement-key': {
      const sealer = await checkSameKey(db, requireSecretKeys(config))
      const publicKey = await (await billing()).retireStatementKey({ db, sealer, now: systemClock.now() })
      return `${publicKey} no longer signs; the next statement makes a new key.`
    }
    case 'undo-prune': {
      const { undoPrune } = await import('../../modules/backups/index.ts')
      const undone = await undoPrune(db, command.backup, new Date())
      if (!undone) return `There is no backup ${command.backup}, or its owner deleted it: they can take that back.`
      const { restored, lost, snapshots } = undone
      return `${restored} files and ${snapshots} snapshots are back; of ${lost} files the bytes are gone.`
    }
    case 'grants': {
      const { describeGrants } = await import('../../modules/backups/index.ts')
      return (await describeGrants(db, command.backup)) ?? `There is no backup ${command.backup}.`
    }
    case 'go-back':
    case 'undo-go-back': {
      const { goBackAsOperator } = await import('../../modules/backups/index.ts')
      const grantId = command.name === 'go-back' ? command.grant : undefined
      const asked = { backupId: command.backup, grantId, at: systemClock.now() }
      const moved = await goBackAsOperator(db, asked).catch(toOperatorError)
      if (!moved) return `There is no backup ${command.backup}, or its owner deleted it: they can take that back.`
      if (moved === 'undone') return 'What was moved to the trash is back.'
      return `${moved.trashed} files are trash for 14 days, ${moved.restored} are back. undo-go-back undoes it.`
    }
    case 'resume': {
      const { renumberZones } = await import('../../modules/dns/index.ts')
      const { resumeSweep } = await clusters()
      // Before anything goes on: accounts that were erased since the backup are here again.
      const erased = (await findCareful(db)) ? await eraseRestored(db, config) : 0
      const number = await db.transaction().execute(async (trx) => {
        // Zones that were published with a later serial than this database knew.
        const hasNewer = (await listEvidence(trx)).some(({ about }) => about === 'zones')
        const ended = await endCareful(trx, systemClock.now())
        if (ended === undefined) return undefined
        // Together: a sweep in between would find the claim ahead and be careful again.
        await resumeSweep(trx)
        if (hasNewer) await renumberZones(trx)
        return ended
      })
      if (number === undefined) return 'This deployment is not careful: it was not restored, or was told already.'
      const again = erased > 0 ? ` ${erased} accounts that had been erased are erased again.` : ''
      return `Money moves again. Strays are stopped and kept for ATOLL_STRAY_DAYS. Invoices go on in the series R${number}.${again}`
    }
    case 'careful':
      await beCareful(db, 'the operator said so', systemClock.now())
      return 'This deployment is careful until npm run admin -- resume. Nothing has to be restarted.'
    case 'clock': {
      const { storedTimes } = await import('../../composition/stored-times.ts')
      const wasInDoubt = await acceptClock(db, storedTimes, systemClock.now())
      return wasInDoubt ? 'The clock is accepted: deadlines hold again.' : 'The clock is not in doubt.'
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

/** A refusal as the words of a command. */
function toOperatorError(error: unknown): never {
  throw error instanceof Refusal ? new OperatorError(error.message, { cause: error }) : error
}

/** Needs most of the server, too. */
async function openUsageCover(db: Db, config: Config) {
  return await (await import('./usage-cover.ts')).openUsageCover(db, config)
}

/** Dependencies of commands that ask the configured gateway. */
async function withGateway(db: Db, config: Config) {
  const { openGateway } = await import('../../modules/payments/index.ts')
  const sealer = await checkSameKey(db, requireSecretKeys(config))
  const { gateway } = await openGateway({ db, clock: systemClock, sealer, config })
  return { db, clock: systemClock, gateway }
}

function disputesText(disputes: readonly ListedDispute[]): Answer {
  const rows = [
    [
      'DISPUTE',
      'STATE',
      'EVIDENCE UNTIL',
      'DISPUTED',
      'WITHDRAWN',
      'REASON',
      'PAYMENT',
      'INVOICE',
      'WHO',
      'AT GATEWAY',
    ],
    ...disputes.map((one) => {
      const { id, state, due_by, currency, reason, name, userid, number } = one
      const text = (minor: number) => amountText(money(minor, currency))
      return [
        ...[id, state, due_by?.toISOString() ?? '-', text(one.amount_minor), text(one.withdrawn_minor), reason],
        ...[one.payment_id ?? one.capture_id ?? '-', number ?? '-', name ?? userid, one.gateway_ref],
      ]
    }),
  ]
  return { rows, none: 'Nothing was ever disputed.' }
}

function amountText(amount: Money): string {
  return `${formatMajorUnits(amount)} ${amount.currency}`
}

function parkedText(parked: readonly { userid: string; parkedAt: Date; why: string }[]): Answer {
  const rows = parked.map(({ userid, parkedAt, why }) => [parkedAt.toISOString(), userid, why])
  return { rows: [['SINCE', 'ACCOUNT', 'WHY'], ...rows], none: 'No account is parked.' }
}

function sweepText({ paused, strays }: SweepState): Answer {
  const rows = [
    ['KIND', 'NAME', 'AT', 'FOUND', 'STATE'],
    ...strays.map(({ kind, object, place, foundAt, stoppedAt, doomed }) => [
      kind,
      object,
      place,
      foundAt.toISOString(),
      doomed ? 'to be destroyed' : stoppedAt ? 'stopped' : 'found',
    ]),
  ]
  return { before: paused.map(({ why }) => `${why}.`), rows, none: 'No strays are known.' }
}

function tableOf(accounts: readonly OperatedAccount[]): Answer {
  const rows = [
    ['ROLE', 'MAY CREATE', 'VCPU', 'ID', 'DID'],
    ...accounts.map(({ role, canCreateCluster, vCpuQuota, name, did }) => [
      role,
      canCreateCluster ? 'yes' : 'no',
      vCpuQuota === null ? 'plan' : String(vCpuQuota),
      name ?? '-',
      did,
    ]),
  ]
  return { rows, none: 'Nobody has signed in yet.' }
}

function textOf(answer: Answer): string {
  if (typeof answer === 'string') return answer
  const { before = [], rows, none } = answer
  return [...before, rows.length === 1 ? none : tabled(rows)].join('\n')
}

/** Each row as an object whose keys are the headings, such as `may create`. */
function dataOf(answer: Answer): object {
  if (typeof answer === 'string') return { said: answer }
  const [head = [], ...rows] = answer.rows
  const named = rows.map((row) => Object.fromEntries(head.map((name, at) => [name.toLowerCase(), row[at]])))
  return { said: answer.before ?? [], rows: named }
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
  // By hand: an amount may begin with a minus.
  const args = process.argv.slice(2).filter((word) => word !== '--json')
  const command = readAdminCommand(args)
  if (command.name === 'help') {
    process.stdout.write(adminHelp)
    return 0
  }
  const answer = await withOperatorDatabase(config, log, ({ db }) => carryOut(db, config, command))
  if (args.length < process.argv.length - 2) sayJson(dataOf(answer))
  else say(textOf(answer))
  return 0
})
