import type { PaymentMethod } from '@atoll/contract/payments'
import { Button } from '@mantine/core'
import { type FormEvent, type ReactNode, useId } from 'react'
import { useCreateWaits } from '../../../billing/shared/use-create-waits.ts'
import { useChangeRefusal } from '../../../kit/browser/use-change-refusal.ts'
import { refusedButton } from '../../../kit/menu/refused-button.ts'
import { FailureNotice } from '../../../kit/page/FailureNotice.tsx'
import { useText } from '../../../locales/text.ts'
import type { CreateChoice } from '../../offers/create-choice.ts'
import classes from '../../offers/Offers.module.css'
import type { StepProps } from '../step-props.ts'
import { StepFrame } from '../steps/StepFrame.tsx'
import type { OrderForm } from '../use-order-form.ts'

interface OrderFrameProps {
  init: StepProps['init']
  choice: CreateChoice
  title: string
  lead: string
  order: OrderForm
  /** Not called while there is no network. */
  onSubmit: (event: FormEvent<HTMLFormElement>) => void
  /** On the button; undefined: that it is created. */
  does?: string | undefined
  /** Why it cannot be ordered now, and is soon. */
  waits?: string | undefined
  /** The order was placed, and something is still done for it. */
  isBusy?: boolean
  /** Under the button. */
  note?: ReactNode
  /** The card that pays, where one was chosen. */
  payer?: PaymentMethod | undefined
  /** The fields of the order. */
  children: ReactNode
  /** With what it is paid, below the fields. */
  means?: ReactNode
}

/** The last step of an order: the name, what was chosen, and the button that creates it. */
export function OrderFrame({
  title,
  order,
  onSubmit,
  does,
  waits,
  isBusy,
  children,
  means,
  ...frame
}: OrderFrameProps) {
  const t = useText()
  const formId = useId()
  const refused = [useChangeRefusal(), useCreateWaits(), waits].find(Boolean)
  return (
    <StepFrame
      step="review"
      {...frame}
      title={title}
      blocked={refused}
      action={
        <Button
          type="submit"
          form={formId}
          variant="filled"
          size="lg"
          fullWidth
          loading={order.isPending || isBusy === true}
          {...refusedButton(refused)}
        >
          {does ?? t('create.do', { name: order.name })}
        </Button>
      }
    >
      <form id={formId} onSubmit={(event) => (refused ? event.preventDefault() : onSubmit(event))} noValidate>
        <FailureNotice error={order.error} title={t('create.failedTitle')} className={classes.failure} />
        {children}
      </form>
      {means}
    </StepFrame>
  )
}
