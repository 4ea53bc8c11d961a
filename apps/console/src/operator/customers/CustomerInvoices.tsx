import { type CustomerDetail, invoiceWriteOff } from '@atoll/contract/staff'
import { displayName } from '@atoll/contract/wire'
import { StateBadge } from '@atoll/ui'
import { IconReceiptOff } from '@tabler/icons-react'
import { useState } from 'react'
import { invoiceLooks, lookOf } from '../../billing/shared/document-looks.ts'
import { Panel } from '../../billing/shared/Panel.tsx'
import { formatMoney } from '../../kit/format/money.ts'
import { formatDayAndTime } from '../../kit/format/times.ts'
import { ActionMenu } from '../../kit/menu/ActionMenu.tsx'
import { CellLines } from '../../kit/table/CellLines.tsx'
import { DataTable } from '../../kit/table/DataTable.tsx'
import { useLocale, useText } from '../../locales/text.ts'
import { ActDialog } from '../approve/ActDialog.tsx'
import { useOperatorsOnly } from '../approve/use-operators-only.ts'
import classes from './Customers.module.css'

interface CustomerInvoicesProps {
  customer: CustomerDetail
  onChanged: () => void
}

type Row = CustomerDetail['latestInvoices'][number]

/** The newest invoices of a customer; what is owed can be written off. */
export function CustomerInvoices({ customer, onChanged }: CustomerInvoicesProps) {
  const t = useText()
  const locale = useLocale()
  const operatorsOnly = useOperatorsOnly()
  const [opened, setOpened] = useState<Row>()
  const name = displayName(customer.person)
  const rows = customer.latestInvoices
  const amount = (minor: number, currency: string) => formatMoney(minor, currency, locale)
  return (
    <div className={classes.section}>
      <Panel title={t('operator.invoices')} note={t('operator.invoicesCount', { count: customer.invoices })}>
        {rows.length === 0 ? (
          <p className={classes.none}>{t('operator.noInvoices')}</p>
        ) : (
          <DataTable
            label={t('operator.invoices')}
            rows={rows}
            rowKey={({ invoiceId }) => invoiceId}
            columns={[
              { header: t('operator.number'), cell: ({ number }) => <CellLines main={number} />, phone: 'first' },
              {
                header: t('operator.date'),
                cell: ({ createAt }) => (
                  <time dateTime={createAt} title={createAt}>
                    {formatDayAndTime(createAt, Date.now(), locale)}
                  </time>
                ),
                width: '24%',
                isQuiet: true,
                phone: 'second',
              },
              {
                header: t('operator.state'),
                cell: ({ state }) => {
                  const { colour, shape, label } = lookOf<string>(invoiceLooks, state)
                  return (
                    <StateBadge bare colour={colour} shape={shape}>
                      {t(label)}
                    </StateBadge>
                  )
                },
                width: '20%',
                phone: 'second-end',
              },
              {
                header: t('operator.amount'),
                cell: ({ total, currency }) => <span className="num">{amount(total, currency)}</span>,
                width: '16%',
                align: 'right',
                phone: 'first-end',
              },
              {
                header: t('operator.actions'),
                cell: (row) =>
                  row.owed !== null && (
                    <ActionMenu
                      label={t('common.more', { name: row.number })}
                      size={32}
                      variant="subtle"
                      actions={[
                        {
                          key: 'writeOff',
                          label: t('operator.writeOff'),
                          icon: IconReceiptOff,
                          place: 'menu',
                          danger: true,
                          disabledReason: operatorsOnly,
                          onSelect: () => setOpened(row),
                        },
                      ]}
                    />
                  ),
                width: '56px',
                isActions: true,
                phone: 'first-end',
              },
            ]}
          />
        )}
      </Panel>
      {opened && (
        <ActDialog
          opened
          onClose={() => {
            setOpened(undefined)
            onChanged()
          }}
          title={t('operator.writeOffTitle', { number: opened.number })}
          lead={t('operator.writeOffText', { amount: amount(opened.owed ?? 0, opened.currency) })}
          act="writeOff"
          call={invoiceWriteOff}
          fields={{ invoiceId: opened.invoiceId }}
          asks={{
            object: `invoice ${opened.number}`,
            name,
            amount: opened.owed ?? 0,
            currency: opened.currency,
          }}
          keep={t('operator.cancel')}
          isDanger
        />
      )}
    </div>
  )
}
