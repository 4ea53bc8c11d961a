import { customerInfo } from '@atoll/contract/billing'
import { type CallData, countRows } from '@atoll/contract/wire'
import { useDelayed } from '@atoll/ui'
import { Skeleton } from '@mantine/core'
import { IconShieldCheck } from '@tabler/icons-react'
import type { ReactNode } from 'react'
import { useCall } from '../../data/use-call.ts'
import { formatDate } from '../../kit/format/billing-dates.ts'
import { formatBalance, formatMoney } from '../../kit/format/money.ts'
import { LoadFailure } from '../../kit/page/LoadFailure.tsx'
import { Tag } from '../../kit/page/Tag.tsx'
import { UnreadableRows } from '../../kit/table/UnreadableRows.tsx'
import { useLocale, useText } from '../../locales/text.ts'
import { StatementButton } from '../shared/StatementButton.tsx'
import classes from './BalanceFigures.module.css'

interface BalanceFiguresProps {
  /** Remaining promotional credit, in the order in which it expires. */
  promo: readonly { amount: number; expiresAt: string | null }[] | undefined
  /** How many records a statement would prove. */
  postings: number | undefined
}

/** The account's money, negated when it is not zero (spec §9), and its promotional credit. */
export function BalanceFigures({ promo, postings }: BalanceFiguresProps) {
  const t = useText()
  const { data, error, refetch } = useCall(customerInfo, {})
  const skeleton = useDelayed(!data && !error)
  if (!data && error) {
    return (
      <div className={classes.alone}>
        <LoadFailure title={t('balance.figuresErrorTitle')} error={error} onRetry={refetch} />
      </div>
    )
  }
  return (
    <div className={classes.figures}>
      {data ? (
        <Figures customer={data} promo={promo} />
      ) : (
        <>
          <div className={classes.card}>{skeleton && <FigureSkeleton />}</div>
          <div className={classes.card}>{skeleton && <FigureSkeleton />}</div>
        </>
      )}
      <section className={classes.card} data-part="verify">
        <h2 className={classes.verify}>
          <IconShieldCheck size={18} stroke={1.6} aria-hidden="true" />
          {t('balance.verifyTitle')}
        </h2>
        <p className={classes.text}>
          {postings !== undefined && postings > 0 && t('balance.verifyText', { count: postings })}
        </p>
        <div className={classes.actions}>
          <StatementButton size="xs" />
          <a href="#how-to-verify">{t('balance.howItWorks')}</a>
        </div>
      </section>
    </div>
  )
}

interface FiguresProps {
  customer: CallData<typeof customerInfo>
  promo: BalanceFiguresProps['promo']
}

function Figures({ customer, promo = [] }: FiguresProps) {
  const t = useText()
  const locale = useLocale()
  const { cashBalance, currency, promoBalance, zone } = customer
  const expiring = promo.flatMap(({ amount, expiresAt }) => (expiresAt === null ? [] : [{ amount, expiresAt }]))
  const [first] = expiring
  const until = (time: string) => formatDate(time, zone, locale)
  return (
    <>
      <Figure
        label={t('money.balance')}
        amount={formatBalance(cashBalance, currency, locale)}
        text={t(cashBalance > 0 ? 'balance.owed' : 'balance.yours')}
      />
      <Figure
        label={t('money.promo')}
        tag={
          expiring.length === 1 &&
          countRows(promo) === 1 &&
          first &&
          t('balance.until', { date: until(first.expiresAt) })
        }
        amount={formatMoney(promoBalance, currency, locale)}
        text={t(promoBalance > 0 ? 'balance.promoText' : 'balance.noPromo')}
      >
        {countRows(promo) !== 1 && promo.length > 0 && (
          <ul className={classes.grants}>
            {promo.map(({ amount, expiresAt }) => (
              <li key={expiresAt}>
                <span>{formatMoney(amount, currency, locale)}</span>
                <span>{expiresAt === null ? t('balance.never') : t('balance.until', { date: until(expiresAt) })}</span>
              </li>
            ))}
          </ul>
        )}
        <UnreadableRows of={promo} />
      </Figure>
    </>
  )
}

interface FigureProps {
  label: string
  tag?: ReactNode
  amount: string
  text: string
  children?: ReactNode
}

function Figure({ label, tag, amount, text, children }: FigureProps) {
  return (
    <section className={classes.card} aria-label={label}>
      <div className={classes.head}>
        <span className={classes.label}>{label}</span>
        {tag && <Tag tone="amber">{tag}</Tag>}
      </div>
      <div className={classes.amount}>{amount}</div>
      <p className={classes.text}>{text}</p>
      {children}
    </section>
  )
}

function FigureSkeleton() {
  return (
    <>
      <Skeleton height={12} width={64} my={4} />
      <Skeleton height={26} width={110} my={7} />
      <Skeleton height={12} width={160} my={3} />
    </>
  )
}
