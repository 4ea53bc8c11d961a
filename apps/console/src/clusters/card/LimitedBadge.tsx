import type { Resource } from '@atoll/contract/clusters'
import { StateBadge } from '@atoll/ui'
import { useText } from '../../locales/text.ts'
import { useTrafficLimited } from './use-traffic-limited.ts'

/** Beside the status of a cluster whose visitors are turned away. */
export function LimitedBadge({ cluster }: { cluster: Resource }) {
  const t = useText()
  if (!useTrafficLimited(cluster)) return null
  return (
    <StateBadge colour="amber" shape="hollow" tint="amber">
      {t('notice.limitedBadge')}
    </StateBadge>
  )
}
