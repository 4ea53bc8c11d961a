import { type PlanOffer, planShow } from '@atoll/contract/billing'
import { countUnreadable } from '@atoll/contract/wire'
import { useEffect, useEffectEvent, useState } from 'react'
import { useCall } from '../../../data/use-call.ts'
import { useIsNarrow } from '../../../kit/browser/use-is-narrow.ts'
import { LazyPart } from '../../../kit/page/LazyPart.tsx'
import { UnreadableRows } from '../../../kit/table/UnreadableRows.tsx'
import { useText } from '../../../locales/text.ts'
import { readLeft } from '../../shared/pay-with/left-for-card.ts'
import { BillingCard } from '../card/BillingCard.tsx'
import { PlanCards } from './PlanCards.tsx'
import { PlanTable } from './PlanTable.tsx'
import type { PlanList } from './plan-list.ts'

const loadDialog = () => import('./PlanDialog.tsx').then((module) => module.PlanDialog)

/** The plans side by side; on a phone swiped. */
export function PlansCard() {
  const t = useText()
  const isNarrow = useIsNarrow()
  const query = useCall(planShow, {})
  const [asked, setAsked] = useState<{ plan: PlanOffer; count: number }>()
  const [opened, setOpened] = useState(false)
  const { data } = query
  // Back from adding a card: the dialog that was left for it is open again.
  const reopen = useEffectEvent(() => {
    const plan = data?.plans.find(({ planLevel }) => planLevel === readLeft()?.choices['planLevel'])
    if (!plan) return
    setAsked({ plan, count: 1 })
    setOpened(true)
  })
  const isThere = data !== undefined
  useEffect(() => {
    if (isThere) reopen()
  }, [isThere])
  const close = () => setOpened(false)
  const list: PlanList | undefined = data && {
    ...data,
    plans: countUnreadable(
      data.plans.filter(({ isSold, isCurrent }) => isSold || isCurrent),
      data.plans,
    ),
    onChoose(plan) {
      setAsked((before) => ({ plan, count: (before?.count ?? 0) + 1 }))
      setOpened(true)
    },
  }
  return (
    <div id="plans">
      <BillingCard
        title={t('billing.compare')}
        note={t('billing.compareHelp')}
        ruled
        query={query}
        errorTitle={t('billing.plansError')}
        height={480}
      >
        {() =>
          list && (
            <>
              {isNarrow ? <PlanCards list={list} /> : <PlanTable list={list} />}
              <UnreadableRows of={list.plans} />
            </>
          )
        }
      </BillingCard>
      {asked && data && (
        <LazyPart
          key={asked.count}
          load={loadDialog}
          wanted={opened}
          onFailure={close}
          props={{ plan: asked.plan, plans: data.plans, currency: data.currency, opened, onClose: close }}
        />
      )}
    </div>
  )
}
