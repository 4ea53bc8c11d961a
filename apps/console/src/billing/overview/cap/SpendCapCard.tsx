import { customerInfo, spendCapSet } from '@atoll/contract/billing'
import { currencySymbols } from '@atoll/contract/wire'
import { Button, TextInput } from '@mantine/core'
import { type FormEvent, useState } from 'react'
import { useCall } from '../../../data/use-call.ts'
import { useCallMutation } from '../../../data/use-call-mutation.ts'
import { formatMoney } from '../../../kit/format/money.ts'
import { ChangeButton } from '../../../kit/page/ChangeButton.tsx'
import { FailureNotice } from '../../../kit/page/FailureNotice.tsx'
import { useLocale, useText } from '../../../locales/text.ts'
import card from '../card/BillingCard.module.css'
import { BillingCard } from '../card/BillingCard.tsx'
import { useNewestInvoices } from '../card/use-newest-invoices.ts'
import { typedMinor } from './minor-units.ts'
import classes from './SpendCapCard.module.css'

/** The most that usage above the quotas may cost in a period; it stops there, and nothing is deleted. */
export function SpendCapCard() {
  const t = useText()
  const locale = useLocale()
  const [isOpen, setOpen] = useState(false)
  const query = useCall(customerInfo, {})
  const { hasNone } = useNewestInvoices()
  const isFolded = hasNone && !isOpen && !query.data?.spendCap
  const open = (
    <ChangeButton size="xs" className={card.footEnd ?? ''} onClick={() => setOpen(true)}>
      {t(query.data?.spendCap ? 'billing.capChange' : 'billing.capSet')}
    </ChangeButton>
  )
  return (
    <BillingCard
      title={t('billing.cap')}
      folded={isFolded && t('billing.capNone')}
      action={isFolded && open}
      query={query}
      errorTitle={t('billing.capError')}
      height={96}
    >
      {({ spendCap, currency }) => (
        <>
          <div className={card.body}>
            <div className={card.figure}>
              {spendCap ? formatMoney(spendCap.amount, currency, locale) : t('billing.capNone')}
            </div>
            <p className={card.quiet}>{t(spendCap ? 'billing.capHelp' : 'billing.capNoneHelp')}</p>
          </div>
          <div className={card.foot}>
            {isOpen ? <CapForm amount={spendCap?.amount} currency={currency} onDone={() => setOpen(false)} /> : open}
          </div>
        </>
      )}
    </BillingCard>
  )
}

interface CapFormProps {
  /** Minor units; undefined: there is none. */
  amount: number | undefined
  currency: keyof typeof currencySymbols
  onDone: () => void
}

function CapForm({ amount, currency, onDone }: CapFormProps) {
  const t = useText()
  const set = useCallMutation(spendCapSet)
  const [typed, setTyped] = useState(amount === undefined ? '' : String(amount / 100))
  const [isWrong, setWrong] = useState(false)
  function save(event: FormEvent) {
    event.preventDefault()
    const minor = typedMinor(typed)
    setWrong(minor === undefined)
    if (minor !== undefined) set.mutate({ amount: minor }, { onSuccess: onDone })
  }
  function cancel() {
    set.giveUp()
    onDone()
  }
  return (
    <form className={card.form} onSubmit={save} noValidate>
      <TextInput
        className={classes.amount ?? ''}
        aria-label={t('billing.capAmount')}
        leftSection={currencySymbols[currency]}
        inputMode="decimal"
        value={typed}
        onChange={(event) => {
          setTyped(event.currentTarget.value)
          setWrong(false)
          set.reset()
        }}
        error={isWrong && t('billing.capWrong')}
        autoComplete="off"
        autoFocus
      />
      <Button type="submit" variant="filled" loading={set.isPending}>
        {t('billing.capSave')}
      </Button>
      {amount !== undefined && (
        <Button onClick={() => set.mutate({}, { onSuccess: onDone })}>{t('billing.capRemove')}</Button>
      )}
      <Button variant="subtle" onClick={cancel}>
        {t('billing.cancel')}
      </Button>
      <FailureNotice error={set.error} className={card.formFailure} />
    </form>
  )
}
