import type { MonitorCondition, Resource } from '@atoll/contract/clusters'
import { statusLabel } from '@atoll/texts/statuses'
import { Notice } from '@atoll/ui'
import { type TextKey, useLocale, useText } from '../../locales/text.ts'

const reasons: Record<MonitorCondition, TextKey> = {
  account: 'monitoring.missingAccount',
  initialized: 'monitoring.missingInitialized',
  clusterId: 'monitoring.missingClusterId',
  running: 'monitoring.missingRunning',
  notLoading: 'monitoring.missingNotLoading',
}

interface MissingNoticeProps {
  missing: MonitorCondition
  cluster: Resource
  /** Something was measured while this page was open, and is shown still. */
  hasReadings: boolean
}

/** Which condition keeps the page from asking. */
export function MissingNotice({ missing, cluster, hasReadings }: MissingNoticeProps) {
  const t = useText()
  const locale = useLocale()
  return (
    <Notice role="status" title={t(reasons[missing], { status: statusLabel(cluster.clusterStatus, locale) })}>
      {t(hasReadings ? 'monitoring.missingText' : 'monitoring.missingTextNone')}
    </Notice>
  )
}
