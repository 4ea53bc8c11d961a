import type { Operation, Resource, ResourceDetail } from '@atoll/contract/clusters'
import { operationStepLabel } from '@atoll/texts/operations'
import { Facts, StatusBadge } from '@atoll/ui'
import { UnstyledButton } from '@mantine/core'
import { IconChevronRight } from '@tabler/icons-react'
import { useState } from 'react'
import { serverNow } from '../../config/runtime-config.ts'
import { formatDuration } from '../../kit/format/stopwatch.ts'
import { SettingRow } from '../../kit/page/SettingRow.tsx'
import table from '../../kit/table/DataTable.module.css'
import { useLocale, useText } from '../../locales/text.ts'
import { useInstanceName } from '../card/use-instance-name.ts'
import panel from '../install/OperationPanel.module.css'
import { CancelOperation } from '../operations/CancelOperation.tsx'
import { OperationProgress } from '../operations/OperationProgress.tsx'

interface WorkerRowProps {
  cluster: Resource
  operation: Operation
  /** Undefined: not known yet. */
  instance: ResourceDetail['data'][number] | undefined
  stale: boolean
}

/**
 * A worker that something is done to: its step, and the way to cancel it. Pressing its name shows all steps
 * and the log.
 */
export function WorkerRow({ cluster, operation, instance, stale }: WorkerRowProps) {
  const t = useText()
  const locale = useLocale()
  const instanceName = useInstanceName()
  const [open, setOpen] = useState(false)
  const { steps, startedAt, cancellable } = operation
  const name = instance ? instanceName(instance) : t('activity.aWorker')
  const at = steps.findIndex(({ state }) => state === 'running')
  const step = steps[at]
  return (
    <>
      <SettingRow
        title={
          <span className={panel.worker}>
            <UnstyledButton className={panel.opener} aria-expanded={open} onClick={() => setOpen(!open)}>
              <IconChevronRight className={table.chevron} size={15} stroke={1.6} aria-hidden="true" />
              {name}
            </UnstyledButton>
            {instance && <StatusBadge status={instance.status} locale={locale} stale={stale} bare />}
          </span>
        }
        text={
          <div className={panel.now}>
            <Facts>
              {step &&
                t('cluster.stepNow', {
                  step: at + 1,
                  steps: steps.length,
                  title: operationStepLabel(step.step, locale),
                })}
              <span className={panel.time}>
                {t('detail.soFar', { time: formatDuration(serverNow() - Date.parse(startedAt), t) })}
              </span>
            </Facts>
            {step?.detail && <span className={panel.why}>{step.detail}</span>}
          </div>
        }
      >
        {cancellable && <CancelOperation cluster={cluster} operation={operation} name={name} />}
      </SettingRow>
      {open && <OperationProgress cluster={cluster} operation={operation} instance={instance} />}
    </>
  )
}
