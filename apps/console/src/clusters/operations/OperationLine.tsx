import { type Operation, operationKindTable, operationStepLabel, type ResourceDetail } from '@atoll/contract/clusters'
import { StatusDot } from '@atoll/ui'
import { UnstyledButton } from '@mantine/core'
import { IconChevronRight } from '@tabler/icons-react'
import { useState } from 'react'
import { serverNow } from '../../data/config/runtime-config.ts'
import { formatDuration } from '../../kit/format/stopwatch.ts'
import { formatDayAndTime } from '../../kit/format/times.ts'
import { useLocale, useText } from '../../kit/i18n/text.ts'
import table from '../../kit/table/Table.module.css'
import { useInstanceName } from '../card/use-instance-name.ts'
import { OperationSteps } from './OperationSteps.tsx'
import { useAuthor } from './use-author.ts'

interface OperationLineProps {
  operation: Operation
  /** The one it is about, while it exists. */
  instance: ResourceDetail['data'][number] | undefined
}

/** One operation of the history; pressing its name shows its steps. */
export function OperationLine({ operation, instance }: OperationLineProps) {
  const t = useText()
  const locale = useLocale()
  const author = useAuthor('alone')
  const instanceName = useInstanceName()
  const [open, setOpen] = useState(false)
  const { kind, startedAt, endedAt } = operation
  const took = formatDuration((endedAt ? Date.parse(endedAt) : serverNow()) - Date.parse(startedAt), t)
  return (
    <>
      <tr data-open={open || undefined}>
        <td>
          <UnstyledButton className={table.opener} aria-expanded={open} onClick={() => setOpen(!open)}>
            <IconChevronRight className={table.chevron} size={15} stroke={1.6} aria-hidden="true" />
            <span>
              <span className={table.main}>{operationKindTable[kind][locale]}</span>
              {instance && <span className={table.second}>{instanceName(instance)}</span>}
            </span>
          </UnstyledButton>
        </td>
        <td>
          <Result operation={operation} />
        </td>
        <td className={table.quiet} data-label={t('detail.columnBy')}>
          {author(operation.by)}
        </td>
        <td className={table.quiet} data-label={t('detail.columnStarted')}>
          {formatDayAndTime(startedAt, serverNow(), locale)}
        </td>
        <td className={`${table.quiet} ${table.right}`} data-label={t('detail.columnTook')}>
          {endedAt ? took : t('detail.soFar', { time: took })}
        </td>
      </tr>
      {open && (
        <tr className={table.opened}>
          <td colSpan={5}>
            <OperationSteps operation={operation} />
          </td>
        </tr>
      )}
    </>
  )
}

const dots = {
  running: { colour: 'amber', shape: 'ring' },
  done: { colour: 'green', shape: 'disc' },
  failed: { colour: 'coral', shape: 'disc' },
  canceled: { colour: 'grey', shape: 'square' },
} as const

function Result({ operation }: { operation: Operation }) {
  return (
    <span className={table.result}>
      <StatusDot {...dots[operation.state]} />
      <span>{useResult(operation)}</span>
    </span>
  )
}

/** How it ended, or where it is: 'Step 2 of 4', 'Done', 'Failed at Queuing: …'. */
function useResult({ state, steps, error }: Operation): string {
  const t = useText()
  const locale = useLocale()
  switch (state) {
    case 'running': {
      const at = steps.findIndex((step) => step.state === 'running')
      return at < 0 ? t('detail.resultRunning') : t('cluster.stepOf', { step: at + 1, steps: steps.length })
    }
    case 'done':
      return t('detail.resultDone')
    case 'canceled':
      return error ?? t('detail.resultCanceled')
    case 'failed': {
      const reason = error ?? t('failure.unknown')
      const failed = steps.find((step) => step.state === 'failed')
      return failed
        ? t('detail.resultFailedAt', { step: operationStepLabel(failed.step, locale), reason })
        : t('detail.resultFailed', { reason })
    }
  }
}
