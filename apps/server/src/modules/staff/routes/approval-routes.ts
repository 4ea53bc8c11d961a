import { approvalBegin, approvalDecline, approvalDeliver, approvalRead, approvalState } from '@atoll/contract/staff'
import { implement, type Route } from '../../../http/route.ts'
import { once } from '../../../platform/requests/index.ts'
import type { AnyAct } from '../acts/act.ts'
import {
  type ApprovalDeps,
  beginApproval,
  declineApproval,
  deliverApproval,
  describeApproval,
  openApproval,
  useApproval,
} from '../approvals/approval-service.ts'

/** Approving, by the page that asks and the wallet that signs, and the acts that need it. */
export function approvalRoutes(deps: ApprovalDeps, acts: readonly AnyAct[]): Route[] {
  const actOf = (name: string) => {
    const found = acts.find(({ act }) => act === name)
    if (!found) throw new Error(`no act is called ${name}`)
    return found
  }
  return [
    implement(approvalBegin, ({ act, parameters }, { account: caller, locale }) =>
      beginApproval(deps, { act: actOf(act), parameters, caller, locale }),
    ),
    implement(approvalState, ({ nonce }, { account }) => describeApproval(deps, account, nonce)),
    implement(approvalRead, ({ nonce }) => openApproval(deps, nonce)),
    implement(approvalDeliver, async ({ jws }, { locale }) => {
      await deliverApproval(deps, jws, locale)
      return {}
    }),
    implement(approvalDecline, async ({ nonce }) => {
      await declineApproval(deps, nonce)
      return {}
    }),
    ...acts.map((act) => actRoute(deps, act)),
  ]
}

/** Does an act with the approval that came with it; repeated with the same key of the request, once. */
function actRoute(deps: ApprovalDeps, act: AnyAct): Route {
  const { call } = act
  return {
    call,
    async handle(parsed, context) {
      if (!('account' in context)) throw new Error(`${call.name} is no call of an account`)
      const { account: caller, locale } = context
      const body = call.body.parse(parsed)
      const now = deps.clock.now()
      return await once(deps, { owner: caller.userid, call: call.name, body }, async (trx) => {
        await useApproval(trx, { act, body, caller, now, locale })
        const { reason, approval } = body
        return (await act.perform(trx, body as never, { caller, now, reason, approval })) as object
      })
    },
  }
}
