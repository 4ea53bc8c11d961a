import { EnrollCommand } from '@atoll/contract/clusters'
import { isDisplayableName } from '@atoll/contract/wire'
import { useQueryClient } from '@tanstack/react-query'
import { useNavigate } from '@tanstack/react-router'
import { type TextKey, useText } from '../../../locales/text.ts'
import { resolveChoice } from '../../offers/create-choice.ts'
import { enrollCommandQuery } from '../../self-host/use-enroll-command.ts'
import { selfHostOrder } from '../self-host-order.ts'
import type { StepProps } from '../step-props.ts'
import { useCreateSearch } from '../use-create-search.ts'
import { useOrderForm } from '../use-order-form.ts'
import { OrderFrame } from './OrderFrame.tsx'
import { ReviewList } from './ReviewList.tsx'

const ingresses: Record<'frp' | 'cloudflare' | 'none', TextKey> = {
  frp: 'create.relay',
  cloudflare: 'create.cloudflare',
  none: 'create.direct',
}

/** The name, how it is reached, and the button that makes a place for the host; the command comes on its page. */
export function SelfHostReview({ init, userid, source, tunnelToken }: StepProps) {
  const t = useText()
  const navigate = useNavigate()
  const client = useQueryClient()
  const { search } = useCreateSearch()
  const order = useOrderForm(userid, selfHostOrder(search, tunnelToken, source))
  const submit = order.submit((answer) => {
    const { clusterId } = answer
    const command = EnrollCommand.safeParse(answer).data
    if (command) client.setQueryData(enrollCommandQuery(userid, clusterId, 'master').queryKey, command)
    void navigate({ to: '/cluster/$clusterId', params: { clusterId } })
  })

  return (
    <OrderFrame
      init={init}
      choice={resolveChoice(search, init.instanceInfo)}
      title={t('create.reviewTitle')}
      lead={t('create.selfHostReviewLead')}
      order={order}
      onSubmit={submit}
    >
      <ReviewList
        order={order}
        rows={[
          { title: t('create.rowFlavour'), value: t('create.selfHost'), step: 'flavour' },
          {
            title: t('create.rowReach'),
            value: [t(ingresses[search.proxy ?? 'frp']), search.host].filter(Boolean).join(' · '),
            step: 'reach',
          },
          {
            title: t('create.rowOwner'),
            value: isDisplayableName(init.user.terminusName) ? init.user.terminusName : init.user.userid,
          },
        ]}
      />
    </OrderFrame>
  )
}
