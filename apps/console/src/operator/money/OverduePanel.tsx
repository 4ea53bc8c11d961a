import { type DeploymentMoney, overdueAges } from '@atoll/contract/staff'
import { displayName } from '@atoll/contract/wire'
import { Panel } from '../../billing/shared/Panel.tsx'
import { formatMoney } from '../../kit/format/money.ts'
import { formatDayAndTime, formatDayAndTimeWithin } from '../../kit/format/times.ts'
import { CellLines } from '../../kit/table/CellLines.tsx'
import { DataTable } from '../../kit/table/DataTable.tsx'
import { useLocale, useText } from '../../locales/text.ts'
import customers from '../customers/Customers.module.css'
import { PersonLink } from '../customers/PersonLink.tsx'
import { WriteOff } from '../parts/WriteOff.tsx'
import classes from './Money.module.css'

interface OverduePanelProps {
  overdue: DeploymentMoney['overdue']
  currency: 'usd' | 'cny'
  onChanged: () => void
}

const ageWords = { 7: 'operator.age7', 14: 'operator.age14', 30: 'operator.age30', more: 'operator.ageMore' } as const

/** Bills that were tried and not paid, the oldest first, with what comes next; by age. */
export function OverduePanel({ overdue, currency, onChanged }: OverduePanelProps) {
  const t = useText()
  const locale = useLocale()
  const amount = (minor: number) => formatMoney(minor, currency, locale)
  const at = (time: string) => formatDayAndTime(time, Date.now(), locale)
  const { ages, rows } = overdue
  return (
    <div className={customers.section}>
      <Panel title={t('operator.overdue')} note={amount(overdue.amount)}>
        {rows.length === 0 ? (
          <p className={customers.none}>{t('operator.nobodyOwes')}</p>
        ) : (
          <>
            <DataTable
              label={t('operator.overdueByAge')}
              rows={overdueAges.flatMap((age) => ages.filter((one) => one.age === age))}
              rowKey={({ age }) => age}
              columns={[
                { header: t('operator.age'), cell: ({ age }) => t(ageWords[age]), phone: 'first' },
                {
                  header: t('operator.invoices'),
                  cell: ({ count }) => <span className="num">{count}</span>,
                  width: '20%',
                  align: 'right',
                },
                {
                  header: t('operator.amount'),
                  cell: (row) => <span className="num">{amount(row.amount)}</span>,
                  width: '24%',
                  align: 'right',
                  phone: 'first-end',
                },
              ]}
            />
            <DataTable
              label={t('operator.overdue')}
              rows={rows}
              rowKey={({ invoiceId }) => invoiceId}
              columns={[
                {
                  header: t('operator.customer'),
                  leads: true,
                  cell: ({ person, number }) => <PersonLink person={person} second={number} />,
                  phone: 'first',
                },
                {
                  header: t('operator.due'),
                  cell: ({ dueAt }) => at(dueAt),
                  width: '18%',
                  isQuiet: true,
                  phone: 'second',
                },
                {
                  header: t('operator.next'),
                  cell: ({ destroyAt, stoppedAt, tries }) => (
                    <CellLines
                      main={
                        stoppedAt && destroyAt
                          ? t('operator.destroyedAt', { at: formatDayAndTimeWithin(destroyAt, Date.now(), locale) })
                          : t('operator.triedAgain')
                      }
                      second={t('operator.triedTimes', { count: tries })}
                    />
                  ),
                  width: '26%',
                  isQuiet: true,
                },
                {
                  header: t('operator.amount'),
                  cell: (row) => <span className="num">{amount(row.amount)}</span>,
                  width: '14%',
                  align: 'right',
                  phone: 'first-end',
                },
                {
                  header: t('operator.actions'),
                  cell: ({ invoiceId, number, amount, person }) => (
                    <WriteOff
                      invoice={{ invoiceId, number, amount, currency }}
                      name={displayName(person)}
                      onChanged={onChanged}
                    />
                  ),
                  width: '56px',
                  isActions: true,
                  phone: 'first-end',
                },
              ]}
            />
            {rows.length < ages.reduce((sum, { count }) => sum + count, 0) && (
              <p className={`${classes.foot} small quiet`}>
                {t('operator.someShown', {
                  shown: rows.length,
                  amount: amount(rows.reduce((sum, row) => sum + row.amount, 0)),
                  all: amount(overdue.amount),
                })}
              </p>
            )}
          </>
        )}
      </Panel>
    </div>
  )
}
