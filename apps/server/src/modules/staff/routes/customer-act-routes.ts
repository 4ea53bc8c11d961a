import {
  customerCoupon,
  customerCurrency,
  customerEmailReset,
  customerMail,
  customerQuota,
  customerSignOut,
} from '@atoll/contract/staff'
import type { Call, CallBody } from '@atoll/contract/wire'
import type { z } from 'zod'
import type { Route } from '../../../http/route.ts'
import type { Clock } from '../../../platform/clock.ts'
import type { Db, Trx } from '../../../platform/db/index.ts'
import { publishChange } from '../../../platform/events/index.ts'
import { refuse } from '../../../platform/refusal.ts'
import { once } from '../../../platform/requests/index.ts'
import {
  correctCurrency,
  endAllSessions,
  findAddressee,
  grantQuota,
  lockOperated,
  resetEmail,
} from '../../accounts/index.ts'
import { type Billing, hasBooked } from '../../billing/index.ts'
import { type Mail, staffMessageMail } from '../../mail/index.ts'
import { recordStaff } from '../acts/record-staff.ts'
import { getCustomer } from '../holds/hold-change.ts'

export interface CustomerActDeps {
  db: Db
  clock: Clock
  mail: Pick<Mail, 'post' | 'findState'>
  billing: Pick<Billing, 'redeem'>
}

type Asked = Call<z.ZodType<{ accountId: string; requestId?: string | undefined }>>
type Facts = Record<string, string>
interface Done {
  action: Parameters<typeof recordStaff>[1]
  /** Another topic of the customer's pages that it makes old. */
  topic?: 'billing'
  before?: Facts
  facts: Facts
}

const mailUsableMs = 7 * 24 * 60 * 60_000

/** Acts of operators that need no approval: done once, recorded, and published to the customer's pages. */
export function customerActRoutes(deps: CustomerActDeps): Route[] {
  function change<C extends Asked>(
    call: C,
    act: (trx: Trx, userid: string, body: CallBody<C>) => Promise<Done>,
  ): Route {
    return {
      call,
      async handle(parsed, context) {
        if (!('account' in context)) throw new Error(`${call.name} is no call of an account`)
        const { account: caller } = context
        const body = call.body.parse(parsed) as CallBody<C> // what this very call's schema parsed
        return await once(deps, { owner: caller.userid, call: call.name, body }, async (trx) => {
          const { userid: owner } = await lockOperated(trx, await getCustomer(trx, body.accountId))
          const { action, topic, before, facts } = await act(trx, owner, body)
          await recordStaff(trx, action, { owner, caller, facts, ...(before && { before }) })
          await publishChange(trx, { account: owner, topic: 'account', id: owner })
          if (topic) await publishChange(trx, { account: owner, topic, id: owner })
          return {}
        })
      },
    }
  }
  return [
    change(customerQuota, async (trx, userid, { vCpu, reason }) => {
      const before = await grantQuota(trx, userid, vCpu || null)
      return { action: 'support.quota', before: { vCpu: String(before ?? 0) }, facts: { vCpu: String(vCpu), reason } }
    }),
    change(customerCoupon, async (trx, userid, { code, reason }) => {
      await deps.billing.redeem(trx, { userid, code })
      return { action: 'support.coupon', topic: 'billing', facts: { code, reason } }
    }),
    change(customerCurrency, async (trx, userid, { currency, reason }) => {
      if (await hasBooked(trx, userid)) refuse('currencyFixed')
      const before = await correctCurrency(trx, userid, currency)
      return {
        action: 'support.currency',
        topic: 'billing',
        before: { currency: before ?? '' },
        facts: { currency, reason },
      }
    }),
    change(customerEmailReset, async (trx, userid, { reason }) => {
      const { locale = 'en-US' } = (await findAddressee(trx, userid)) ?? {}
      if (!(await resetEmail(trx, deps, { userid, locale }))) refuse('noEmail')
      return { action: 'support.resetEmail', facts: { reason } }
    }),
    change(customerSignOut, async (trx, userid, { reason }) => {
      const sessions = await endAllSessions(trx, userid)
      return { action: 'support.signOut', facts: { sessions: String(sessions), reason } }
    }),
    change(customerMail, async (trx, userid, { subject, text }) => {
      const addressee = (await findAddressee(trx, userid)) ?? refuse('noEmail')
      await deps.mail.post(trx, {
        kind: staffMessageMail,
        params: { account: addressee.name, subject, text },
        userid,
        to: addressee.email,
        locale: addressee.locale,
        usableUntil: new Date(deps.clock.now().getTime() + mailUsableMs),
      })
      return { action: 'support.mail', facts: { subject } }
    }),
  ]
}
