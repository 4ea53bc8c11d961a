import { customerRelease, customerSuspend, suspendedObject } from '@atoll/contract/staff'
import { refuse } from '../../../platform/refusal.ts'
import { findAddressee, lockHold } from '../../accounts/index.ts'
import type { Billing } from '../../billing/index.ts'
import { listClusterFigures } from '../../clusters/index.ts'
import { deadlineText, type Mail, suspendedMail } from '../../mail/index.ts'
import { beginHold, endHold, getCustomer } from '../holds/hold-change.ts'
import { type ApprovedBy, defineAct } from './act.ts'

const changeOf = ({ caller, now, reason, approval }: ApprovedBy) => ({
  source: { actor: caller, ip: caller.ip },
  now,
  facts: { reason, approval },
})

export interface HoldActDeps {
  billing: Pick<Billing, 'giveTimeBack'>
  mail: Pick<Mail, 'post'>
}

const mailUsableMs = 7 * 24 * 60 * 60_000

/** Suspends, and mails the customer why and how to answer. */
export const suspendAct = ({ mail }: HoldActDeps) =>
  defineAct({
    act: 'suspend',
    call: customerSuspend,
    async describe(trx, { accountId, clusterId, scope }) {
      const object = suspendedObject({ scope, clusterId })
      return { object, userid: await getCustomer(trx, accountId) }
    },
    async perform(trx, body, by) {
      const holdId = await beginHold(trx, body, changeOf(by))
      const userid = await getCustomer(trx, body.accountId)
      const to = await findAddressee(trx, userid)
      if (!to) return { holdId }
      const clusters = body.clusterId === undefined ? [] : await listClusterFigures(trx, userid)
      const cluster = clusters.find(({ clusterId }) => clusterId === body.clusterId)?.name ?? null
      const timeText = (at: Date) => deadlineText(at, to.timeZone, to.locale)
      await mail.post(trx, {
        kind: suspendedMail,
        userid,
        to: to.email,
        locale: to.locale,
        params: {
          account: to.name,
          cluster,
          scope: body.scope,
          text: body.text,
          since: timeText(by.now),
          answerBy: body.answerBy === undefined ? null : timeText(new Date(body.answerBy)),
        },
        usableUntil: new Date(by.now.getTime() + mailUsableMs),
      })
      return { holdId }
    },
  })

/** Ends a suspension; of a mistake the time is given back. */
export const releaseAct = ({ billing }: HoldActDeps) =>
  defineAct({
    act: 'release',
    call: customerRelease,
    async describe(trx, { holdId, isMistake }) {
      const hold = (await lockHold(trx, holdId)) ?? refuse('notFound', { object: 'hold' })
      return { object: isMistake ? `mistake ${holdId}` : holdId, userid: await getCustomer(trx, hold.account_id) }
    },
    async perform(trx, { holdId, isMistake }, by) {
      const hold = (await lockHold(trx, holdId)) ?? refuse('notFound', { object: 'hold' })
      await endHold(trx, hold, changeOf(by))
      if (isMistake && hold.scope === 'servers') {
        const userid = await getCustomer(trx, hold.account_id)
        await billing.giveTimeBack(trx, { userid, clusterId: hold.cluster_id, from: hold.held_at })
      }
      return {}
    },
  })
