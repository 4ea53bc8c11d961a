import { StateBadge, stateLook } from '@atoll/ui'
import { IconAlertTriangle } from '@tabler/icons-react'
import { serverNow } from '../../config/runtime-config.ts'
import { formatDayAndTime } from '../../kit/format/times.ts'
import { CellLines } from '../../kit/table/CellLines.tsx'
import { DataTable } from '../../kit/table/DataTable.tsx'
import { useLocale, useText } from '../../locales/text.ts'
import { useInstanceName } from '../card/use-instance-name.ts'
import classes from './WorkloadsSection.module.css'
import { type ShownWorkload, workloadLooks, workloadName } from './workload-words.ts'

interface WorkloadTableProps {
  rows: ShownWorkload[]
  /** Whether there are several instances to distinguish. */
  namesInstance: boolean
}

/** Workloads: how each is, how much of it is ready and since when; below it why. */
export function WorkloadTable({ rows, namesInstance }: WorkloadTableProps) {
  const t = useText()
  const locale = useLocale()
  const instanceName = useInstanceName()
  const now = serverNow()
  return (
    <DataTable
      label={t('workloads.title')}
      rows={rows}
      rowKey={({ workload, instance }) => `${instance.instanceId} ${workload.name}`}
      below={({ workload: { reason, state }, stale }) =>
        reason ? (
          <div className={classes.reason} data-stale={stale || state !== 'Failed' || undefined}>
            <IconAlertTriangle size={16} stroke={1.6} aria-hidden="true" />
            <span>{reason}</span>
          </div>
        ) : undefined
      }
      columns={[
        {
          header: t('detail.columnName'),
          cell: ({ workload, instance }) => (
            <CellLines
              main={workloadName(workload, t)}
              second={namesInstance && t('workloads.on', { name: instanceName(instance) })}
            />
          ),
          width: '36%',
          phone: 'first',
        },
        {
          header: t('detail.columnStatus'),
          cell: ({ workload: { state }, stale }) => (
            // A turning sign says that a service is changing now.
            <StateBadge {...stateLook(workloadLooks, state)} {...(stale && { colour: 'grey', shape: 'hollow' })} bare>
              {t(`workloads.state${state}`)}
            </StateBadge>
          ),
          width: '24%',
          phone: 'first-end',
        },
        {
          header: t('workloads.columnCopies'),
          cell: ({ workload: { ready, wanted } }) => t('workloads.ready', { ready, wanted }),
          isQuiet: true,
          phone: 'second',
        },
        {
          header: t('workloads.columnSince'),
          cell: ({ workload: { since } }) => formatDayAndTime(since, now, locale),
          width: '160px',
          align: 'right',
          isQuiet: true,
          phone: 'second-end',
        },
      ]}
    />
  )
}
