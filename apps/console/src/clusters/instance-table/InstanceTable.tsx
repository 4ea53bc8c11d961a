import { formatHardware, formatMiB, formatPercent } from '@atoll/ui/i18n'
import type { ReactNode } from 'react'
import { formatMoney } from '../../kit/format/money.ts'
import { CellLines } from '../../kit/table/CellLines.tsx'
import { DataTable } from '../../kit/table/DataTable.tsx'
import { NoValue } from '../../kit/table/NoValue.tsx'
import { useLocale, useText } from '../../locales/text.ts'
import { useInstanceName } from '../card/use-instance-name.ts'
import { useOfferingTitle } from '../card/use-offering-title.ts'
import { InstanceMenu } from './InstanceMenu.tsx'
import { InstanceState } from './InstanceState.tsx'
import { InstanceTrouble, isTroubled } from './InstanceTrouble.tsx'
import { Measured } from './Measured.tsx'
import { measuredOf, type ShownInstance } from './shown-instance.ts'

interface InstanceTableProps {
  rows: ShownInstance[]
  /** Of a list of several clusters: the one that the instance belongs to, above its own name. */
  cluster?: (row: ShownInstance) => ReactNode
  /** A last known value. */
  stale?: boolean
}

/** Instances: what each is, how it is, how busy it is, and what can be done with it; below it what is wrong with it. */
export function InstanceTable({ rows, cluster, stale = false }: InstanceTableProps) {
  const t = useText()
  const locale = useLocale()
  const offeringTitle = useOfferingTitle()
  const name = useInstanceName()
  const [cpu, memory] = [t('detail.columnCpu'), t('detail.columnMemory')]
  return (
    <DataTable
      label={t('detail.instances')}
      rows={rows}
      rowKey={({ instance }) => instance.instanceId}
      below={(row) => (isTroubled(row) ? <InstanceTrouble {...row} /> : undefined)}
      columns={[
        {
          header: t('detail.columnName'),
          cell: (row) =>
            cluster ? (
              <CellLines main={cluster(row)} second={name(row.instance)} />
            ) : (
              <CellLines main={name(row.instance)} />
            ),
          leads: true,
          phone: 'first',
        },
        {
          header: t('detail.columnStatus'),
          cell: ({ instance }) => <InstanceState instance={instance} stale={stale} />,
          // Of the window, because these two need more of a table that has fewer columns.
          width: 'clamp(140px, 15.4vw, 196px)',
          phone: 'first-end',
        },
        {
          header: t('detail.columnSize'),
          cell: ({ instance: { offering, cpuCoreCount, memorySize } }) =>
            cpuCoreCount > 0 ? (
              <CellLines
                main={offering && offeringTitle(offering)}
                second={t('detail.size', { cpu: cpuCoreCount, memory: formatMiB(memorySize, locale) })}
              />
            ) : (
              <NoValue />
            ),
          width: 'clamp(104px, 9vw, 126px)',
          phone: 'second',
        },
        {
          header: t('instances.columnAddress'),
          cell: ({ instance }) => instance.ip ?? <NoValue />,
          isQuiet: true,
          phone: 'second-end',
        },
        {
          header: cpu,
          cell: ({ instance }) => {
            const measured = measuredOf(instance)
            const text = measured ? formatPercent(measured.cpu, locale) : ''
            return <Measured label={cpu} share={measured?.cpu} text={text} stale={stale} />
          },
          width: '12%',
          isWide: true,
          phone: 'third',
        },
        {
          header: memory,
          cell: ({ instance }) => {
            const measured = measuredOf(instance)
            if (!measured) return <NoValue />
            const { memoryUsed, memoryTotal } = measured
            const [used, total] = [formatHardware(memoryUsed, locale), formatHardware(memoryTotal, locale)]
            const share = memoryTotal > 0 ? memoryUsed / memoryTotal : undefined
            return <Measured label={memory} share={share} text={t('detail.ofSize', { used, total })} stale={stale} />
          },
          width: '18%',
          isWide: true,
          phone: 'third-end',
        },
        {
          header: t('detail.columnPrice'),
          cell: ({ instance: { price } }) => (price ? formatMoney(price.amount, price.currency, locale) : <NoValue />),
          width: '88px',
          align: 'right',
          isWide: true,
          phone: 'labelled',
        },
        {
          header: t('instances.columnActions'),
          cell: (row) => <InstanceMenu {...row} />,
          width: '54px',
          isActions: true,
          phone: 'first-end',
        },
      ]}
    />
  )
}
