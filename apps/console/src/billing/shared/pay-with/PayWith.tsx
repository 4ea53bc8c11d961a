import '@mantine/core/styles/Checkbox.layer.css'
import type { Estimate } from '@atoll/contract/billing'
import { countRows } from '@atoll/contract/wire'
import { Button, Checkbox } from '@mantine/core'
import { IconGift, IconPlus, IconReceiptRefund, IconWallet } from '@tabler/icons-react'
import { type ReactNode, useId, useRef } from 'react'
import { formatMoney } from '../../../kit/format/money.ts'
import { UnreadableRows } from '../../../kit/table/UnreadableRows.tsx'
import { useLocale, useText } from '../../../locales/text.ts'
import { AskEmail } from '../ask-email/AskEmail.tsx'
import { MeansMark } from '../CardMark.tsx'
import { useAddCard } from '../use-add-card.ts'
import { CardAdded } from './CardAdded.tsx'
import { CardChoice } from './CardChoice.tsx'
import { leaveForCard } from './left-for-card.ts'
import { NoCard } from './NoCard.tsx'
import classes from './PayWith.module.css'
import type { PayWith as Means } from './use-pay-with.ts'

interface PayWithProps {
  estimate: Pick<Estimate, 'fromPromo' | 'fromBalance' | 'toCard' | 'rolledOver' | 'currency'>
  means: Means
  /** When the card is charged again, ISO 8601; undefined: nobody knows yet. */
  renewsAt?: string | undefined
  /** Where adding a card leads back to: a path without a query. */
  returnTo: string
  /** The choices made on the page, restored after a card was added. */
  choices?: () => Record<string, unknown>
  /** Where there is no card yet; without it that one can be added, and what is ordered paid later. */
  withoutCard?: ReactNode
}

/**
 * From where the money comes: promotional credit and balance first, the rest by a card that is chosen or added; and an
 * email is asked for where none is linked. Not inside a form: that has one of its own.
 */
export function PayWith({ estimate, means, renewsAt, returnTo, choices, withoutCard }: PayWithProps) {
  const t = useText()
  const locale = useLocale()
  const id = useId()
  const heading = useRef<HTMLHeadingElement>(null)
  const { methods, method, added, renews, setRenews } = means
  const leave = () =>
    leaveForCard(returnTo, { cards: methods?.map((card) => card.id) ?? [], choices: choices?.() ?? {} })
  const { addCard, isPending } = useAddCard(leave)
  const { fromPromo, fromBalance, toCard, rolledOver, currency } = estimate
  const money = (minor: number) => formatMoney(minor, currency, locale)
  if (fromPromo + fromBalance + toCard + rolledOver === 0) return null
  const isAll = toCard + rolledOver > 0
  return (
    <section className={classes.means} aria-labelledby={id}>
      <h2 id={id} ref={heading} tabIndex={-1} className={classes.heading}>
        {t('money.payWith')}
      </h2>
      {fromPromo > 0 && (
        <MeansRow
          mark={<IconGift size={16} stroke={1.6} />}
          name={t('money.promo')}
          note={t('money.alwaysFirst')}
          amount={money(fromPromo)}
        />
      )}
      {fromBalance > 0 && (
        <MeansRow
          mark={<IconWallet size={16} stroke={1.6} />}
          name={t('money.balance')}
          note={t(isAll ? 'money.alwaysFirstAll' : 'money.alwaysFirst')}
          amount={money(fromBalance)}
        />
      )}
      {rolledOver > 0 && (
        <MeansRow
          mark={<IconReceiptRefund size={16} stroke={1.6} />}
          name={t('money.nextBill')}
          note={t('money.rolledNote')}
          amount={money(rolledOver)}
        />
      )}
      {toCard > 0 &&
        countRows(methods) === 0 &&
        (withoutCard ?? <NoCard estimate={estimate} returnTo={returnTo} onLeave={leave} />)}
      {toCard > 0 && methods !== undefined && countRows(methods) !== 0 && (
        <>
          <fieldset className={classes.cards}>
            <legend className={classes.legend}>{t('money.restBy')}</legend>
            {added && <CardAdded card={added} />}
            {methods.map((card) => (
              <CardChoice
                key={card.id}
                card={card}
                group={id}
                chosen={card === method}
                isNew={card === added}
                onChoose={() => means.choose(card.id)}
                amount={money(toCard)}
                renewsAt={renewsAt}
              />
            ))}
            <UnreadableRows of={methods} />
          </fieldset>
          <div className={classes.foot}>
            <Button
              variant="subtle"
              leftSection={<IconPlus size={16} stroke={1.6} aria-hidden="true" />}
              loading={isPending}
              onClick={() => addCard(returnTo)}
            >
              {t('money.addCard')}
            </Button>
            {method?.isDefault === false && (
              <Checkbox
                size="sm"
                label={t('money.renewToo')}
                checked={renews}
                onChange={(event) => setRenews(event.currentTarget.checked)}
              />
            )}
          </div>
        </>
      )}
      <AskEmail onPutOff={() => heading.current?.focus()} />
    </section>
  )
}

interface MeansRowProps {
  mark: ReactNode
  name: string
  note: string
  amount: string
}

/** The means that pay before a card does: promotional credit and balance. */
function MeansRow({ mark, name, note, amount }: MeansRowProps) {
  return (
    <div className={classes.row}>
      <MeansMark>{mark}</MeansMark>
      <div className="grow">
        <div className={classes.name}>{name}</div>
        <div className="tiny quiet">{note}</div>
      </div>
      <span className={classes.amount}>{amount}</span>
    </div>
  )
}
