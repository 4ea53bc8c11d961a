import { couponRedeem } from '@atoll/contract/billing'
import { Button, TextInput } from '@mantine/core'
import { showToast } from '../../../data/show-toast.ts'
import { useCallForm } from '../../../kit/form/use-call-form.ts'
import { FailureNotice } from '../../../kit/page/FailureNotice.tsx'
import { useText } from '../../../locales/text.ts'
import card from '../card/BillingCard.module.css'
import classes from './RedeemForm.module.css'

/** A coupon by its code; in which case it is typed does not matter. */
export function RedeemForm({ onDone }: { onDone: () => void }) {
  const t = useText()
  const { field, submit, isPending, error, giveUp } = useCallForm(couponRedeem, { values: { code: '' } })
  const redeem = submit(({ coupon }) => {
    showToast({ kind: 'success', text: t('billing.redeemed', { code: coupon.code }) })
    onDone()
  })
  function cancel() {
    giveUp()
    onDone()
  }
  return (
    <form className={card.form} onSubmit={redeem} noValidate>
      <TextInput
        {...field('code')}
        className={classes.code ?? ''}
        aria-label={t('billing.couponCode')}
        placeholder={t('billing.couponCode')}
        maxLength={64}
        autoComplete="off"
        autoCapitalize="characters"
        spellCheck={false}
        autoFocus
      />
      <Button type="submit" variant="filled" loading={isPending}>
        {t('billing.redeemDo')}
      </Button>
      <Button variant="subtle" onClick={cancel}>
        {t('billing.cancel')}
      </Button>
      <FailureNotice error={error} className={card.formFailure} />
    </form>
  )
}
