import { isDisplayableName } from '@atoll/contract/wire'
import { Button } from '@mantine/core'
import { useNavigate } from '@tanstack/react-router'
import { useId } from 'react'
import { useOfflineReason } from '../../../kit/browser/use-offline-reason.ts'
import { useSurroundings } from '../../../kit/browser/use-surroundings.ts'
import { useText } from '../../../kit/i18n/text.ts'
import { refusedButton } from '../../../kit/menu/refused-button.ts'
import { FailureNotice } from '../../../kit/page/FailureNotice.tsx'
import { resolveChoice } from '../../offers/create-choice.ts'
import classes from '../../offers/Offers.module.css'
import type { StepProps } from '../step-props.ts'
import { NameField } from '../steps/NameField.tsx'
import { StepFrame } from '../steps/StepFrame.tsx'
import { stepsOf } from '../steps-of.ts'
import { useCreateSearch } from '../use-create-search.ts'
import { useOrderForm } from '../use-order-form.ts'
import { ReviewRows } from './ReviewRows.tsx'

/** The name, everything that was chosen, and the button that creates it. */
export function ReviewStep({ init, userid }: StepProps) {
  const t = useText()
  const navigate = useNavigate()
  const { home } = useSurroundings()
  const formId = useId()
  const { search } = useCreateSearch()
  const offline = useOfflineReason()
  const choice = resolveChoice(search, init.instanceInfo)
  const { cloud, region, offer, version } = choice
  const chosen = cloud &&
    region &&
    offer &&
    version && {
      clusterType: 'Cloud',
      cloudName: cloud.cloudName,
      regionId: region.regionId,
      offering: offer.offering.name,
      version: version.version,
    }
  const order = useOrderForm(userid, chosen)
  const submit = order.submit(() => void navigate({ to: home }))

  return (
    <StepFrame
      step="review"
      title={t('create.reviewTitle')}
      lead={t('create.reviewLead')}
      init={init}
      choice={choice}
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
      <form id={formId} onSubmit={(event) => (offline || !chosen ? event.preventDefault() : submit(event))} noValidate>
        <FailureNotice error={order.error} title={t('create.failedTitle')} className={classes.failure} />
        <NameField order={order} />
        <ReviewRows
          choice={choice}
          steps={stepsOf(search, init.instanceInfo)}
          owner={isDisplayableName(init.user.terminusName) ? init.user.terminusName : init.user.userid}
        />
      </form>
    </StepFrame>
  )
}
