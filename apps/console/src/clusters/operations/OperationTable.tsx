import type { Operation, ResourceDetail } from '@atoll/contract/clusters'
import { operationKindLabel } from '@atoll/texts/operations'
import { serverNow } from '../../config/runtime-config.ts'
import { formatDuration } from '../../kit/format/stopwatch.ts'
import { formatDayAndTime } from '../../kit/format/times.ts'
import { CellLines } from '../../kit/table/CellLines.tsx'
import { DataTable } from '../../kit/table/DataTable.tsx'
import { useLocale, useText } from '../../locales/text.ts'
import { useInstanceName } from '../card/use-instance-name.ts'
import { OperationResult } from './OperationResult.tsx'
import { OperationSteps } from './OperationSteps.tsx'
import { useAuthor } from './use-author.ts'

interface OperationTableProps {
  operations: Operation[]
  instances: ResourceDetail['data']
}

/** Operations, newest first: author, end and duration; each opens to its steps. */
export function OperationTable({ operations, instances }: OperationTableProps) {
  const t = useText()
  const locale = useLocale()
  const author = useAuthor('alone')
  const instanceName = useInstanceName()
  const now = serverNow()
  /** The one it is about, while it exists. */
  const nameOf = ({ instanceId }: Operation) => {
    const instance = instances.find((each) => each.instanceId === instanceId)
    return instance && instanceName(instance)
  }
  const took = ({ startedAt, endedAt }: Operation) => {
    const time = formatDuration((endedAt ? Date.parse(endedAt) : now) - Date.parse(startedAt), t)
    return endedAt ? time : t('detail.soFar', { time })
  }
  return (
    <DataTable
      label={t('detail.operations')}
      rows={operations}
      rowKey={({ operationId }) => operationId}
      opened={(operation) => <OperationSteps operation={operation} />}
      columns={[
        {
          header: t('detail.columnWhat'),
          cell: (operation) => (
            <CellLines main={operationKindLabel(operation.kind, locale)} second={nameOf(operation)} />
          ),
          width: '22%',
          phone: 'first',
        },
        {
          header: t('detail.columnResult'),
          cell: (operation) => <OperationResult operation={operation} />,
          width: '36%',
          phone: 'second',
        },
        { header: t('detail.columnBy'), cell: ({ by }) => author(by), isQuiet: true, phone: 'third' },
        {
          header: t('detail.columnStarted'),
          cell: ({ startedAt }) => formatDayAndTime(startedAt, now, locale),
          isQuiet: true,
          phone: 'third-end',
        },
        {
          header: t('detail.columnTook'),
          cell: took,
          width: '124px',
          align: 'right',
          isQuiet: true,
          phone: 'first-end',
        },
      ]}
    />
  )
}
