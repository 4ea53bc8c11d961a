import { type FailedJobRow, jobDiscard, jobRetry, type SystemView } from '@atoll/contract/staff'
import { Button } from '@mantine/core'
import { useState } from 'react'
import { Panel } from '../../billing/shared/Panel.tsx'
import { serverNow } from '../../config/runtime-config.ts'
import { useCallMutation } from '../../data/use-call-mutation.ts'
import { formatDayAndTimeWithin, formatUptime } from '../../kit/format/times.ts'
import { Tag } from '../../kit/page/Tag.tsx'
import { DataTable } from '../../kit/table/DataTable.tsx'
import { NoValue } from '../../kit/table/NoValue.tsx'
import { type TextKey, textOf, useLocale, useText } from '../../locales/text.ts'
import { ReasonDialog } from '../approve/ReasonDialog.tsx'
import { OperatorButton } from '../parts/OperatorButton.tsx'
import { FactLine } from './FactLine.tsx'
import classes from './System.module.css'

type Queue = SystemView['queues'][number]

const areas: Record<Queue['area'], TextKey> = {
  clusters: 'system.areaClusters',
  billing: 'system.areaBilling',
  backups: 'system.areaBackups',
  mail: 'system.areaMail',
  domains: 'system.areaDomains',
  other: 'system.areaOther',
}

interface JobsPanelProps {
  queues: readonly Queue[]
  failedJobs: readonly FailedJobRow[]
  onChanged: () => void
}

/** Counts of waiting, running and failed jobs, and the failed jobs. */
export function JobsPanel({ queues, failedJobs, onChanged }: JobsPanelProps) {
  const t = useText()
  const locale = useLocale()
  const retry = useCallMutation(jobRetry, { toast: true, onSuccess: onChanged })
  const [discarded, setDiscarded] = useState<FailedJobRow>()
  const lasting = (seconds: number) => (seconds > 0 ? formatUptime(seconds * 1000, locale) : <NoValue />)
  const sum = (part: 'waiting' | 'failed') => queues.reduce((total, queue) => total + queue[part], 0)
  return (
    <Panel title={t('system.jobs')} note={t('system.jobsNote', { waiting: sum('waiting'), failed: sum('failed') })}>
      <DataTable
        label={t('system.jobs')}
        rows={queues}
        rowKey={({ area }) => area}
        columns={[
          {
            header: t('system.queue'),
            cell: ({ area, isHeld }) => (
              <>
                <b>{t(textOf(areas, area))}</b> {isHeld && <Tag tone="amber">{t('system.held')}</Tag>}
              </>
            ),
            phone: 'first',
          },
          { header: t('system.waiting'), cell: ({ waiting }) => waiting, width: '14%', align: 'right' },
          {
            header: t('system.oldest'),
            cell: ({ oldestSeconds }) => lasting(oldestSeconds),
            width: '14%',
            align: 'right',
          },
          { header: t('system.running'), cell: ({ running }) => running, width: '14%', align: 'right' },
          {
            header: t('system.failed'),
            cell: ({ failed }) => <span className={failed > 0 ? classes.bad : ''}>{failed}</span>,
            width: '14%',
            align: 'right',
          },
        ]}
      />
      {failedJobs.length === 0 ? (
        <p className={classes.none}>{t('system.nothingFailed')}</p>
      ) : (
        <ul className={classes.lines}>
          {failedJobs.map((job) => (
            <FactLine
              key={job.jobId}
              tone="coral"
              title={job.name}
              text={t('system.failedJob', {
                problem: job.problem ?? '…',
                count: job.attempts,
                at: formatDayAndTimeWithin(job.at, serverNow(), locale),
              })}
            >
              <Button
                size="xs"
                aria-label={t('system.retryOf', { job: job.name, id: job.jobId })}
                onClick={() => retry.mutate({ jobId: job.jobId })}
              >
                {t('system.retry')}
              </Button>
              <OperatorButton
                size="xs"
                variant="subtle"
                aria-label={t('system.discardOf', { job: job.name, id: job.jobId })}
                onClick={() => setDiscarded(job)}
              >
                {t('system.discard')}
              </OperatorButton>
            </FactLine>
          ))}
        </ul>
      )}
      {discarded && (
        <ReasonDialog
          title={t('system.discardTitle', { job: discarded.name })}
          lead={t('system.discardText')}
          act={t('system.discard')}
          call={jobDiscard}
          rest={{ jobId: discarded.jobId }}
          onDone={() => {
            setDiscarded(undefined)
            onChanged()
          }}
          onClose={() => setDiscarded(undefined)}
        />
      )}
    </Panel>
  )
}
