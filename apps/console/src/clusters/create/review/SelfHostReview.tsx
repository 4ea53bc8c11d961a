import { EnrollCommand } from '@atoll/contract/clusters'
import { isDisplayableName } from '@atoll/contract/wire'
import { Button } from '@mantine/core'
import { useQueryClient } from '@tanstack/react-query'
import { useNavigate } from '@tanstack/react-router'
import { useId } from 'react'
import { useOfflineReason } from '../../../kit/browser/use-offline-reason.ts'
import { type TextKey, useText } from '../../../kit/i18n/text.ts'
import { refusedButton } from '../../../kit/menu/refused-button.ts'
import { FailureNotice } from '../../../kit/page/FailureNotice.tsx'
import { resolveChoice } from '../../offers/create-choice.ts'
import classes from '../../offers/Offers.module.css'
import { enrollCommandQuery } from '../../self-host/use-enroll-command.ts'
import { selfHostOrder } from '../self-host-order.ts'
import type { StepProps } from '../step-props.ts'
import { NameField } from '../steps/NameField.tsx'
import { StepFrame } from '../steps/StepFrame.tsx'
import { useCreateSearch } from '../use-create-search.ts'
import { useOrderForm } from '../use-order-form.ts'
import { ReviewList } from './ReviewList.tsx'

const ways: Record<'frp' | 'cloudflare' | 'none', TextKey> = {
  frp: 'create.relay',
  cloudflare: 'create.cloudflare',
  none: 'create.direct',
}

/** The name, how it is reached, and the button that makes a place for the machine; the command comes on its page. */
export function SelfHostReview({ init, userid, tunnelToken }: StepProps) {
  const t = useText()
  const navigate = useNavigate()
  const client = useQueryClient()
  const formId = useId()
  const { search } = useCreateSearch()
  const offline = useOfflineReason()
  const order = useOrderForm(userid, selfHostOrder(search, tunnelToken))
  const submit = order.submit((answer) => {
    const { clusterId } = answer
    const told = EnrollCommand.safeParse(answer).data
    if (told) client.setQueryData(enrollCommandQuery(userid, clusterId, 'master').queryKey, told)
    void navigate({ to: '/cluster/$clusterId', params: { clusterId } })
  })

  return (
    <StepFrame
      step="review"
      title={t('create.reviewTitle')}
      lead={t('create.selfHostReviewLead')}
      init={init}
      choice={resolveChoice(search, init.instanceInfo)}
      blocked={offline}
      action={
        <Button
          type="submit"
          form={formId}
          variant="filled"
          size="lg"
          fullWidth
          loading={order.isPending}
          {...refusedButton(offline)}
        >
          {t('create.do', { name: order.name })}
        </Button>
      }
    >
      <form id={formId} onSubmit={(event) => (offline ? event.preventDefault() : submit(event))} noValidate>
        <FailureNotice error={order.error} title={t('create.failedTitle')} className={classes.failure} />
        <NameField order={order} />
        <ReviewList
          rows={[
            { title: t('create.rowFlavour'), value: t('create.selfHost'), step: 'flavour' },
            {
              title: t('create.rowReach'),
              value: [t(ways[search.proxy ?? 'frp']), search.host].filter(Boolean).join(' · '),
              step: 'reach',
            },
            {
              title: t('create.rowOwner'),
              value: isDisplayableName(init.user.terminusName) ? init.user.terminusName : init.user.userid,
            },
          ]}
        />
      </form>
    </StepFrame>
  )
}
