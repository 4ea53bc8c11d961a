import { accountUnpark, type DeploymentMoney, paymentAsk, type StaffPerson } from '@atoll/contract/staff'
import { Button } from '@mantine/core'
import { useState } from 'react'
import { useCallMutation } from '../../data/use-call-mutation.ts'
import { formatMoney } from '../../kit/format/money.ts'
import { formatDayAndTime } from '../../kit/format/times.ts'
import { CellLines } from '../../kit/table/CellLines.tsx'
import type { Column } from '../../kit/table/DataTable.tsx'
import { useLocale, useText } from '../../locales/text.ts'
import { PersonLink } from '../customers/PersonLink.tsx'
import { OperatorButton } from '../parts/OperatorButton.tsx'
import { TablePanel } from '../parts/TablePanel.tsx'
import { AdoptDialog } from './AdoptDialog.tsx'
import classes from './Money.module.css'
import { ResolveDialog } from './ResolveDialog.tsx'

interface OpenMoneyProps {
  money: DeploymentMoney
  currency: 'usd' | 'cny'
  onChanged: () => void
}

/** Unsettled money: payments with an unknown outcome, refunds that failed, charges without a document, parked bills. */
export function OpenMoney({ money, currency, onChanged }: OpenMoneyProps) {
  const t = useText()
  const locale = useLocale()
  const ask = useCallMutation(paymentAsk, { toast: true })
  const unpark = useCallMutation(accountUnpark, { toast: true })
  const [resolving, setResolving] = useState<DeploymentMoney['unknown'][number]>()
  const [adopting, setAdopting] = useState<DeploymentMoney['captures'][number]>()
  const amount = (minor: number) => <span className="num">{formatMoney(minor, currency, locale)}</span>
  const customer: Column<{ person: StaffPerson; number: string | null }> = {
    header: t('operator.customer'),
    leads: true,
    cell: ({ person, number }) => <PersonLink person={person} second={number} />,
    phone: 'first',
  }
  const sum: Column<{ amount: number }> = {
    header: t('operator.amount'),
    cell: (row) => amount(row.amount),
    width: '14%',
    align: 'right',
    phone: 'first-end',
  }
  const at = (time: string) => formatDayAndTime(time, Date.now(), locale)
  const ended = money.ended.reduce((all, { count }) => all + count, 0)
  const failed = money.ended.reduce((all, { code, count }) => (code === null ? all : all + count), 0)
  return (
    <>
      <TablePanel
        title={t('operator.unknownPayments')}
        note={t('operator.failedOf', { failed, ended })}
        none={t('operator.noUnknown')}
        rows={money.unknown}
        rowKey={({ paymentId }) => paymentId}
        columns={[
          customer,
          {
            header: t('operator.since'),
            cell: ({ since, asked }) => (
              <CellLines main={at(since)} second={t('operator.askedTimes', { count: asked })} />
            ),
            width: '22%',
            isQuiet: true,
            phone: 'second',
          },
          sum,
          {
            header: t('operator.actions'),
            cell: (row) => (
              <div className={classes.row}>
                <Button
                  size="xs"
                  loading={ask.isPending}
                  onClick={() => ask.mutate({ paymentId: row.paymentId }, { onSuccess: onChanged })}
                >
                  {t('operator.askNow')}
                </Button>
                <OperatorButton size="xs" onClick={() => setResolving(row)}>
                  {t('operator.resolve')}
                </OperatorButton>
              </div>
            ),
            width: '26%',
            isActions: true,
            phone: 'second-end',
          },
        ]}
      />
      <TablePanel
        title={t('operator.failedRefunds')}
        rows={money.refunds}
        rowKey={({ refundId }) => refundId}
        columns={[
          customer,
          {
            header: t('operator.when'),
            cell: (row) => (row.at ? at(row.at) : row.refundId),
            width: '24%',
            isQuiet: true,
          },
          sum,
        ]}
      />
      <TablePanel
        title={t('operator.lostCaptures')}
        rows={money.captures}
        rowKey={({ ref }) => ref}
        columns={[
          {
            header: t('operator.customer'),
            leads: true,
            cell: ({ person, ref }) =>
              person ? <PersonLink person={person} second={ref} /> : <CellLines main={ref} />,
            phone: 'first',
          },
          { header: t('operator.invoice'), cell: ({ number }) => number, width: '20%', isQuiet: true },
          { header: t('operator.when'), cell: (row) => at(row.at), width: '18%', isQuiet: true, phone: 'second' },
          sum,
          {
            header: t('operator.actions'),
            cell: (row) => (
              <OperatorButton
                size="xs"
                aria-label={t('operator.adoptTitle', { ref: row.ref })}
                onClick={() => setAdopting(row)}
              >
                {t('operator.adopt')}
              </OperatorButton>
            ),
            width: '16%',
            isActions: true,
            phone: 'second-end',
          },
        ]}
      />
      <TablePanel
        title={t('operator.parked')}
        note={t('operator.parkedText')}
        rows={money.parked}
        rowKey={({ person }) => person.accountId}
        columns={[
          {
            header: t('operator.customer'),
            leads: true,
            cell: ({ person, why }) => <PersonLink person={person} second={why} />,
            phone: 'first',
          },
          {
            header: t('operator.since'),
            cell: ({ since }) => at(since),
            width: '24%',
            isQuiet: true,
            phone: 'second',
          },
          {
            header: t('operator.actions'),
            cell: ({ person: { accountId } }) => (
              <OperatorButton size="xs" onClick={() => unpark.mutate({ accountId }, { onSuccess: onChanged })}>
                {t('operator.unpark')}
              </OperatorButton>
            ),
            width: '20%',
            isActions: true,
            phone: 'second-end',
          },
        ]}
      />
      {resolving && (
        <ResolveDialog
          payment={resolving}
          currency={currency}
          onClose={() => {
            setResolving(undefined)
            onChanged()
          }}
        />
      )}
      {adopting && (
        <AdoptDialog
          capture={adopting}
          currency={currency}
          onClose={() => {
            setAdopting(undefined)
            onChanged()
          }}
        />
      )}
    </>
  )
}
