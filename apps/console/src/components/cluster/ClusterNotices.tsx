import type { Resource } from '@atoll/contract'
import { Notice } from '@atoll/ui'
import { CloseButton } from '@mantine/core'
import { isSilent } from '../../api/call-failure.ts'
import { useText } from '../../i18n/text.ts'
import { FailureNotice } from '../FailureNotice.tsx'
import classes from './ClusterNotices.module.css'

interface ClusterNoticesProps {
  cluster: Resource
  /** Why the last action failed. */
  failure: Error | null
  onDismiss: () => void
}

/** What a person has to know about the cluster: why it errored, why the last action failed. */
export function ClusterNotices({ cluster, failure, onDismiss }: ClusterNoticesProps) {
  const t = useText()
  const errored = cluster.status === 'errored' || cluster.status === 'restore_error'
  if (!errored && (!failure || isSilent(failure))) return null
  return (
    <div className={classes.notices}>
      {errored && (
        <Notice tone="coral" title={t('detail.erroredTitle', { name: cluster.name })}>
          {cluster.error ?? t('cluster.erroredUnknown')}
        </Notice>
      )}
      <FailureNotice
        error={failure}
        action={<CloseButton size="sm" aria-label={t('failure.close')} onClick={onDismiss} />}
      />
    </div>
  )
}
