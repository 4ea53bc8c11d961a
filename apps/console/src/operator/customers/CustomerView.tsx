import type { CustomerDetail } from '@atoll/contract/staff'
import { displayName, planNames, shorten } from '@atoll/contract/wire'
import { auditSentence } from '@atoll/texts/audit'
import { domainStatusLabel } from '@atoll/texts/refusals'
import { Facts, Notice, PageHeader, StatusBadge } from '@atoll/ui'
import { Button } from '@mantine/core'
import { Link } from '@tanstack/react-router'
import { brandName } from '../../billing/shared/card-names.ts'
import { Panel } from '../../billing/shared/Panel.tsx'
import { formatMoney } from '../../kit/format/money.ts'
import { formatDayAndTimeWithin } from '../../kit/format/times.ts'
import { CellLines } from '../../kit/table/CellLines.tsx'
import { NoValue } from '../../kit/table/NoValue.tsx'
import { useLocale, useText } from '../../locales/text.ts'
import { useCurrentAccount } from '../../session/account-store.ts'
import { DayAndTime } from '../parts/DayAndTime.tsx'
import { LookBadge } from '../parts/LookBadge.tsx'
import { beginLook } from '../parts/look-as.ts'
import { TablePanel } from '../parts/TablePanel.tsx'
import { ClosingNotice } from './ClosingNotice.tsx'
import { CustomerActions } from './CustomerActions.tsx'
import { CustomerInvoices } from './CustomerInvoices.tsx'
import { CustomerNotes } from './CustomerNotes.tsx'
import { CustomerRecords } from './CustomerRecords.tsx'
import classes from './Customers.module.css'
import { customerLooks } from './customer-looks.ts'
import { HoldNotice } from './HoldNotice.tsx'

interface CustomerViewProps {
  customer: CustomerDetail
  /** Why this staff member looks. */
  reason: string
  onChangeReason: () => void
  onChanged: () => void
}

/** Everything about a customer: state, money, risk, notes, clusters, domains, invoices, what was done. */
export function CustomerView({ customer, reason, onChangeReason, onChanged }: CustomerViewProps) {
  const t = useText()
  const locale = useLocale()
  const me = useCurrentAccount()
  const { person, currency, email, state } = customer
  const amount = (minor: number, of: string = currency ?? 'usd') => formatMoney(minor, of, locale)
  const figures = [
    ['operator.balance', customer.balance ?? 0],
    ['operator.owed', customer.owed ?? 0],
    ['operator.inDispute', customer.disputed],
    ['operator.monthly', customer.monthly ?? 0],
    ['operator.paidSoFar', customer.paid],
  ] as const
  return (
    <>
      <PageHeader
        title={displayName(person)}
        badge={<LookBadge looks={customerLooks} state={state} isBoxed />}
        actions={<CustomerActions customer={customer} onChanged={onChanged} />}
      >
        <Facts>
          <span className="mono">{shorten(person.userid)}</span>
          {email ?? t('operator.noEmail')}
          {planNames[customer.planLevel]}
          {t('operator.customerSince', { at: formatDayAndTimeWithin(customer.createAt, Date.now(), locale) })}
          {t('operator.seen', { at: formatDayAndTimeWithin(customer.lastSeenAt, Date.now(), locale) })}
        </Facts>
      </PageHeader>
      <div className={classes.look}>
        <Notice
          tone="neutral"
          title={t('operator.lookedFor', { reason })}
          action={
            <div className="buttons">
              <Button size="xs" onClick={() => me && beginLook(person, me)}>
                {t('operator.lookAs')}
              </Button>
              <Button size="xs" onClick={onChangeReason}>
                {t('operator.change')}
              </Button>
            </div>
          }
        >
          {t('operator.lookedForText')}
        </Notice>
      </div>
      <ClosingNotice customer={customer} onChanged={onChanged} />
      {customer.holds.map((hold) => (
        <HoldNotice key={hold.holdId} hold={hold} customer={customer} onChanged={onChanged} />
      ))}
      <dl className={classes.figures}>
        {figures.map(([label, minor]) => (
          <div key={label}>
            <dt>{t(label)}</dt>
            <dd
              className={minor > 0 && (label === 'operator.owed' || label === 'operator.inDispute') ? classes.owed : ''}
            >
              {amount(minor)}
            </dd>
          </div>
        ))}
      </dl>
      <div className={classes.section}>
        <Panel
          title={t('operator.cards')}
          note={customer.sameCards.length + customer.disputes.length === 0 ? t('operator.nothingUnusual') : undefined}
        >
          <div className={classes.notes}>
            {customer.cards.length === 0 && <p>{t('operator.noCards')}</p>}
            {customer.cards.map(({ brand, last4, isDefault }) => (
              <p key={`${brand}${last4}`}>
                {t(isDefault ? 'operator.cardDefault' : 'operator.card', { brand: brandName(brand), last4 })}
              </p>
            ))}
            {customer.disputes.map(({ disputeId, reason, amount: disputed }) => (
              <p key={disputeId}>
                {t('operator.disputeOf', { amount: amount(disputed), reason: reason.replaceAll('_', ' ') })}
              </p>
            ))}
            {customer.sameCards.map((other) => (
              <p key={other.accountId}>
                {t('operator.sameCard')}{' '}
                <Link
                  className={classes.inText}
                  to="/operator/{-$section}/{-$object}"
                  params={{ section: 'customers', object: other.accountId }}
                >
                  {displayName(other)}
                </Link>
              </p>
            ))}
          </div>
        </Panel>
      </div>
      <div className={classes.section}>
        <CustomerNotes customer={customer} onWritten={onChanged} />
      </div>
      <TablePanel
        title={t('operator.clusters')}
        none={t('operator.noClusters')}
        rows={customer.clusterList}
        rowKey={({ clusterId }) => clusterId}
        columns={[
          {
            header: t('operator.name'),
            cell: ({ name, clusterId }) => <CellLines main={name} second={clusterId} />,
            phone: 'first',
          },
          {
            header: t('operator.state'),
            cell: ({ status }) => <StatusBadge status={status} locale={locale} bare />,
            width: '20%',
            phone: 'second',
          },
          {
            header: t('operator.where'),
            cell: ({ regionId }) => regionId ?? <NoValue />,
            width: '14%',
            isQuiet: true,
          },
          {
            header: t('operator.size'),
            cell: ({ cpuCoreCount, memorySize, workers }) =>
              t('operator.sizeOf', { cpu: cpuCoreCount, memory: Math.round(memorySize / 1024), count: workers }),
            width: '24%',
            isQuiet: true,
          },
          {
            header: t('operator.version'),
            cell: ({ version }) => version ?? <NoValue />,
            width: '12%',
            isQuiet: true,
          },
        ]}
      />
      {customer.domains.length > 0 && (
        <div className={classes.section}>
          <Panel title={t('operator.domains')}>
            <div className={classes.notes}>
              {customer.domains.map(({ domain, status }) => (
                <p key={domain}>{t('operator.domainState', { domain, status: domainStatusLabel(status, locale) })}</p>
              ))}
            </div>
          </Panel>
        </div>
      )}
      <CustomerInvoices customer={customer} onChanged={onChanged} />
      <CustomerRecords customer={customer} />
      <TablePanel
        title={t('operator.activity')}
        rows={customer.actions}
        rowKey={({ seq }) => seq}
        columns={[
          {
            header: t('operator.what'),
            cell: ({ action }) => (
              <CellLines
                main={auditSentence(action, locale)
                  .replaceAll(/\[[^\]]*\]/g, '')
                  .replaceAll(/\{\w+\}/g, displayName(person))}
              />
            ),
            phone: 'first',
          },
          {
            header: t('operator.who2'),
            cell: ({ by }) => by && shorten(by),
            width: '28%',
            isQuiet: true,
            phone: 'second',
          },
          {
            header: t('operator.when'),
            cell: ({ at }) => <DayAndTime at={at} />,
            width: '20%',
            isQuiet: true,
            phone: 'second-end',
          },
        ]}
      />
    </>
  )
}
