import { type AttentionItem, attentionCount, attentionList, attentionSnooze, snoozeMs } from '@atoll/contract/staff'
import { implement, type Route } from '../../../http/route.ts'
import { refuse } from '../../../platform/refusal.ts'
import { once } from '../../../platform/requests/index.ts'
import { recordStaff } from '../acts/record-staff.ts'
import { type AttentionDeps, lookAgain, tellStaff } from '../overview/attention-look.ts'
import { type AttentionRow, countItems, findLookedAt, listItems, snoozeItem } from '../stores/attention-store.ts'

/** Calls about what needs a person. */
export function overviewRoutes(deps: AttentionDeps): Route[] {
  const { db, clock } = deps
  return [
    implement(attentionList, async () => {
      await lookAgain(deps)
      const [items, lookedAt] = await Promise.all([listItems(db), findLookedAt(db)])
      return { items: items.map(toItem), lookedAt: (lookedAt ?? clock.now()).toISOString() }
    }),
    implement(attentionCount, async () => ({ count: await countItems(db, clock.now()) })),
    implement(attentionSnooze, async (body, { account: caller }) => {
      return await once(deps, { owner: caller.userid, call: attentionSnooze.name, body }, async (trx) => {
        const until = new Date(clock.now().getTime() + snoozeMs)
        if (!(await snoozeItem(trx, body, until))) refuse('attentionGone')
        const facts = { item: body.kind, key: body.key }
        await recordStaff(trx, 'support.snooze', { owner: caller.userid, caller, facts })
        await tellStaff(trx)
        return {}
      })
    }),
  ]
}

function toItem({ since, snoozed_until, ...row }: AttentionRow): AttentionItem {
  return { ...row, since: since.toISOString(), snoozedUntil: snoozed_until?.toISOString() ?? null }
}
