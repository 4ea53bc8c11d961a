import { StatusBadge } from '@atoll/ui'
import { CellLines } from '../../kit/table/CellLines.tsx'
import { useLocale } from '../../locales/text.ts'
import type { AnyInstance } from '../actions/cluster-dialogs-context.ts'
import { runs } from './shown-instance.ts'
import { Uptime } from './Uptime.tsx'

interface InstanceStateProps {
  instance: AnyInstance
  /** A last known value. */
  stale: boolean
}

/** An instance's status, and for how long it has been running. */
export function InstanceState({ instance, stale }: InstanceStateProps) {
  const locale = useLocale()
  const { status, startedAt } = instance
  return (
    <CellLines
      main={<StatusBadge status={status} locale={locale} bare stale={stale} />}
      second={runs(instance) && startedAt && <Uptime since={startedAt} />}
    />
  )
}
