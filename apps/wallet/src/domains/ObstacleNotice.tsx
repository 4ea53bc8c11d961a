import { Notice } from '@atoll/ui'
import { identityHostName } from '../api/runtime-config.ts'
import { useText } from '../i18n/text.ts'
import type { Obstacle } from './use-domain.ts'

/** Why the last press came to nothing, and what to do. */
export function ObstacleNotice({ obstacle }: { obstacle: Obstacle | undefined }) {
  const t = useText()
  if (!obstacle) return null
  const host = identityHostName()
  if (obstacle.kind === 'failed') return <Notice tone="coral" title={t('approve.failed')} role="alert" />
  if (obstacle.kind === 'unreachable')
    return <Notice tone="amber" title={t('approve.unreachable', { host })} role="alert" />
  const said = obstacle.message || t('domain.refusedSilent', { host })
  return <Notice tone="coral" title={said} role="alert" />
}
