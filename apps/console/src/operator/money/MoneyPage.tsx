import '@mantine/core/styles/SegmentedControl.layer.css'
import { type DeploymentMoney, ledgerVerify, moneyShow } from '@atoll/contract/staff'
import { Notice, PageHeader } from '@atoll/ui'
import { formatFigure } from '@atoll/ui/i18n'
import { Button, SegmentedControl } from '@mantine/core'
import { useState } from 'react'
import { Panel } from '../../billing/shared/Panel.tsx'
import { useCall } from '../../data/use-call.ts'
import { useCallMutation } from '../../data/use-call-mutation.ts'
import { formatMoney } from '../../kit/format/money.ts'
import { formatDayAndTimeWithin } from '../../kit/format/times.ts'
import { useCrumb } from '../../kit/page/crumb.ts'
import { ObjectPage } from '../../kit/page/ObjectPage.tsx'
import { usePageTitle } from '../../kit/page/use-page-title.ts'
import { useLocale, useText } from '../../locales/text.ts'
import customers from '../customers/Customers.module.css'
import { AccountantPanel } from './AccountantPanel.tsx'
import { DisputeTable } from './DisputeTable.tsx'
import { MonthsPanel } from './MonthsPanel.tsx'
import { OpenMoney } from './OpenMoney.tsx'
import { OverduePanel } from './OverduePanel.tsx'

/** How often the page is read again, ms. */
const everyMs = 15_000

/** The deployment's money, one currency at a time: nothing of two is ever added. */
export function MoneyPage() {
  const t = useText()
  const [currency, setCurrency] = useState<'usd' | 'cny'>('usd')
  // Without the answer before it while it loads: those are amounts of the other currency.
  const query = useCall(moneyShow, { currency }, { refetchInterval: everyMs })
  usePageTitle(t('operator.money'))
  useCrumb(t('operator.money'))
  return (
    <>
      <PageHeader
        title={t('operator.money')}
        actions={
          <SegmentedControl
            aria-label={t('operator.currency')}
            value={currency}
            onChange={(value) => setCurrency(value === 'cny' ? 'cny' : 'usd')}
            data={[
              { value: 'usd', label: t('operator.dollars') },
              { value: 'cny', label: t('operator.yuan') },
            ]}
          />
        }
      />
      <ObjectPage query={query} errorTitle={t('operator.moneyError')}>
        {(money) => <Shown key={currency} money={money} currency={currency} onChanged={() => void query.refetch()} />}
      </ObjectPage>
    </>
  )
}

interface ShownProps {
  money: DeploymentMoney
  currency: 'usd' | 'cny'
  onChanged: () => void
}

function Shown({ money, currency, onChanged }: ShownProps) {
  const t = useText()
  const locale = useLocale()
  const amount = (minor: number) => formatMoney(minor, currency, locale)
  const month = money.months.at(-1)
  const open = money.disputes.filter(({ state }) => state === 'open' || state === 'inquiry')
  const year = month?.month.slice(0, 4) ?? ''
  const ofYear = money.months.filter((one) => one.month.startsWith(year))
  const sum = (rows: readonly { amount: number }[]) => rows.reduce((all, row) => all + row.amount, 0)
  const figures = [
    [
      'revenue',
      t('operator.revenueNow'),
      month?.revenue ?? 0,
      t('operator.revenueBefore', { amount: amount(money.before) }),
    ],
    [
      'overdue',
      t('operator.overdue'),
      money.overdue.amount,
      t('operator.customersCount', {
        count: money.overdue.customers,
        figure: formatFigure(money.overdue.customers, 0, locale),
      }),
    ],
    ['dispute', t('operator.inDispute'), sum(open), t('operator.paymentsCount', { count: open.length })],
    [
      'writtenOff',
      t('operator.writtenOffIn', { year }),
      ofYear.reduce((all, one) => all + one.writtenOff, 0),
      t('operator.invoicesCount', { count: money.writtenOffCount }),
    ],
  ] as const
  return (
    <>
      <dl className={customers.figures}>
        {figures.map(([key, label, minor, note]) => (
          <div key={key}>
            <dt>{label}</dt>
            <dd>{amount(minor)}</dd>
            <dd className={customers.second}>{note}</dd>
          </div>
        ))}
      </dl>
      <MonthsPanel months={money.months} currency={currency} />
      <DisputeTable disputes={money.disputes} currency={currency} onChanged={onChanged} />
      <OpenMoney money={money} currency={currency} onChanged={onChanged} />
      <OverduePanel overdue={money.overdue} currency={currency} onChanged={onChanged} />
      <LedgerPanel verified={money.verified} onChanged={onChanged} />
      <AccountantPanel currency={currency} months={money.months.map((one) => one.month)} />
    </>
  )
}

function LedgerPanel({ verified, onChanged }: { verified: DeploymentMoney['verified']; onChanged: () => void }) {
  const t = useText()
  const locale = useLocale()
  const verify = useCallMutation(ledgerVerify, { toast: true })
  const [asked, setAsked] = useState(false)
  const at = verified && formatDayAndTimeWithin(verified.at, Date.now(), locale)
  return (
    <div className={customers.section}>
      <Panel
        title={t('operator.ledger')}
        note={
          <Button
            size="xs"
            loading={verify.isPending}
            onClick={() =>
              verify.mutate(
                {},
                {
                  onSuccess: () => {
                    setAsked(true)
                    onChanged()
                  },
                },
              )
            }
          >
            {t('operator.verifyNow')}
          </Button>
        }
      >
        <div className={customers.notes}>
          {verified?.problem && (
            <Notice tone="coral" title={t('operator.ledgerBroken')}>
              {verified.problem}
            </Notice>
          )}
          <p>
            {verified && at
              ? t('operator.verifiedAt', {
                  at,
                  books: formatFigure(verified.books, 0, locale),
                  transactions: formatFigure(verified.transactions, 0, locale),
                })
              : t('operator.neverVerified')}
          </p>
          {asked && <p className="small quiet">{t('operator.verifyAsked')}</p>}
        </div>
      </Panel>
    </div>
  )
}
