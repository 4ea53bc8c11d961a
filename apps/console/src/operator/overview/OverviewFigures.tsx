import { capacityShow, customersPage, moneyShow, staffClustersPage } from '@atoll/contract/staff'
import { formatFigure } from '@atoll/ui/i18n'
import { useCall } from '../../data/use-call.ts'
import { formatMoney } from '../../kit/format/money.ts'
import { useLocale, useText } from '../../locales/text.ts'
import classes from '../customers/Customers.module.css'

const everyMs = 60_000
const live = { refetchInterval: everyMs }

/** Customers, running clusters, the month's money and what is sold; what did not load is a dash. */
export function OverviewFigures() {
  const t = useText()
  const locale = useLocale()
  const customers = useCall(customersPage, { page: 1 }, live).data?.rowsNumber
  const running = useCall(staffClustersPage, { page: 1, group: 'running' }, live).data?.rowsNumber
  const usd = useCall(moneyShow, { currency: 'usd' }, live).data
  const cny = useCall(moneyShow, { currency: 'cny' }, live).data
  const members = useCall(capacityShow, {}, live).data?.regions.flatMap((region) => region.members)
  const sum = (part: 'sold' | 'real') => members?.reduce((all, member) => all + member[part].cpu, 0)
  const count = (value: number | undefined) => (value === undefined ? '–' : formatFigure(value, 0, locale))
  const amount = (minor: number | undefined, currency: 'usd' | 'cny') =>
    minor === undefined ? '–' : formatMoney(minor, currency, locale)
  const [month, other] = [usd?.months.at(-1), cny?.months.at(-1)]
  const figures = [
    [t('operator.customers'), count(customers), ''],
    [t('operator.runningClusters'), count(running), ''],
    [
      t('operator.revenue'),
      amount(month?.revenue, 'usd'),
      t('operator.lastMonth', { amount: amount(usd?.before, 'usd'), cny: amount(other?.revenue, 'cny') }),
    ],
    [t('operator.overdue'), amount(usd?.overdue.amount, 'usd'), amount(cny?.overdue.amount, 'cny')],
    [t('operator.writtenOff'), amount(month?.writtenOff, 'usd'), amount(other?.writtenOff, 'cny')],
    [t('operator.soldCpu'), count(sum('sold')), t('operator.ofReal', { count: count(sum('real')) })],
  ]
  return (
    <dl className={classes.figures}>
      {figures.map(([label, value, second]) => (
        <div key={label}>
          <dt>{label}</dt>
          <dd>{value}</dd>
          {second && <dd className={classes.second}>{second}</dd>}
        </div>
      ))}
    </dl>
  )
}
