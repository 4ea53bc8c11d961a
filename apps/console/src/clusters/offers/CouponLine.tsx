import { getEstimatedAmount } from '@atoll/contract/billing'
import { Button, TextInput } from '@mantine/core'
import { IconTicket } from '@tabler/icons-react'
import { useEffect, useState } from 'react'
import { useCallForm } from '../../kit/form/use-call-form.ts'
import { useText } from '../../locales/text.ts'
import classes from './CouponLine.module.css'
import { type EstimatedOrder, estimateBody } from './use-estimate.ts'

interface CouponLineProps {
  /** The order, without a coupon. */
  order: Pick<EstimatedOrder, 'offering' | 'workers'>
  /** The coupon that goes with the order. */
  code: string | undefined
  onCode: (code: string | undefined) => void
  /** Whether a code stands in the field that does not go with the order yet. */
  onTyped: (isTyped: boolean) => void
}

/** A coupon for one order: a line that opens a field. The code is tried on the estimate before it goes along. */
export function CouponLine({ order, code, onCode, onTyped }: CouponLineProps) {
  const t = useText()
  const [isOpen, setOpen] = useState(false)
  if (code === undefined && isOpen) {
    return <CouponField order={order} onCode={onCode} onTyped={onTyped} onClose={() => setOpen(false)} />
  }
  return (
    <div className={classes.line}>
      {code === undefined ? (
        <Button
          variant="subtle"
          className={classes.have}
          leftSection={<IconTicket size={17} stroke={1.6} aria-hidden="true" />}
          onClick={() => setOpen(true)}
        >
          {t('create.couponHave')}
        </Button>
      ) : (
        <>
          <span className={classes.mark}>
            <IconTicket size={17} stroke={1.6} aria-hidden="true" />
          </span>
          <span className={classes.code}>{t('create.coupon', { code })}</span>
          <Button variant="subtle" size="xs" onClick={() => onCode(undefined)}>
            {t('create.couponRemove')}
          </Button>
        </>
      )}
    </div>
  )
}

interface CouponFieldProps extends Omit<CouponLineProps, 'code'> {
  onClose: () => void
}

function CouponField({ order, onCode, onTyped, onClose }: CouponFieldProps) {
  const t = useText()
  const { form, field, submit, isPending, error, giveUp } = useCallForm(getEstimatedAmount, {
    rest: estimateBody(order),
    values: { couponCode: '' },
  })
  const props = field('couponCode')
  const isTyped = form.values.couponCode.trim() !== ''
  // biome-ignore lint/correctness/useExhaustiveDependencies: the parent may hand down a new function each time
  useEffect(() => {
    onTyped(isTyped)
    return () => onTyped(false)
  }, [isTyped])
  const use = submit(() => {
    onCode(form.values.couponCode.trim())
    onClose()
  })
  function close() {
    giveUp()
    onClose()
  }
  return (
    <div className={classes.form}>
      <TextInput
        {...props}
        className={classes.input ?? ''}
        size="xs"
        // Refusals of a code name the field of redeeming it.
        error={props.error ?? error?.message}
        aria-label={t('create.couponCode')}
        placeholder={t('create.couponCode')}
        maxLength={64}
        autoComplete="off"
        autoCapitalize="characters"
        spellCheck={false}
        autoFocus
        onKeyDown={(event) => {
          if (event.key !== 'Enter') return
          // The form around it orders.
          event.preventDefault()
          use()
        }}
      />
      <Button size="xs" variant="filled" loading={isPending} onClick={() => use()}>
        {t('create.couponUse')}
      </Button>
      <Button size="xs" variant="subtle" onClick={close}>
        {t('create.couponNot')}
      </Button>
    </div>
  )
}
