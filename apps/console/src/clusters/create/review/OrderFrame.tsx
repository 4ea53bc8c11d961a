import { Button } from '@mantine/core'
import { type FormEvent, type ReactNode, useId } from 'react'
import { useOfflineReason } from '../../../kit/browser/use-offline-reason.ts'
import { refusedButton } from '../../../kit/menu/refused-button.ts'
import { FailureNotice } from '../../../kit/page/FailureNotice.tsx'
import { useText } from '../../../locales/text.ts'
import { useCreateWaits } from '../../../money/use-create-waits.ts'
import type { CreateChoice } from '../../offers/create-choice.ts'
import classes from '../../offers/Offers.module.css'
import type { StepProps } from '../step-props.ts'
import { NameField } from '../steps/NameField.tsx'
import { StepFrame } from '../steps/StepFrame.tsx'
import type { OrderForm } from '../use-order-form.ts'

interface OrderFrameProps {
  init: StepProps['init']
  choice: CreateChoice
  lead: string
  order: OrderForm
  /** Not called while there is no network. */
  onSubmit: (event: FormEvent<HTMLFormElement>) => void
  /** On the button; undefined: that it is created. */
  does?: string | undefined
  /** Why it cannot be ordered now, and is soon. */
  waits?: string | undefined
  /** Under the button. */
  note?: string | undefined
  /** What was chosen. */
  children: ReactNode
}

/** The last step of an order: the name, what was chosen, and the button that creates it. */
export function OrderFrame({ init, choice, lead, order, onSubmit, does, waits, note, children }: OrderFrameProps) {
  const t = useText()
  const formId = useId()
  const refused = [useOfflineReason(), useCreateWaits(), waits].find(Boolean)
  return (
    <StepFrame
      step="review"
      title={t('create.reviewTitle')}
      lead={lead}
      init={init}
      choice={choice}
      blocked={refused}
      note={note}
      action={
        <Button
          type="submit"
          form={formId}
          variant="filled"
          size="lg"
          fullWidth
          loading={order.isPending}
          {...refusedButton(refused)}
        >
          {does ?? t('create.do', { name: order.name })}
        </Button>
      }
    >
      <form id={formId} onSubmit={(event) => (refused ? event.preventDefault() : onSubmit(event))} noValidate>
        <FailureNotice error={order.error} title={t('create.failedTitle')} className={classes.failure} />
        <NameField order={order} />
        {children}
      </form>
    </StepFrame>
  )
}
