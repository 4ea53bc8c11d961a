import type { Resource } from '@atoll/contract/clusters'
import { Notice } from '@atoll/ui'
import { Button, CloseButton } from '@mantine/core'
import { Link } from '@tanstack/react-router'
import { isSilent } from '../../data/call-failure.ts'
import { FailureNotice } from '../../kit/page/FailureNotice.tsx'
import { useText } from '../../locales/text.ts'
import classes from './ClusterNotices.module.css'
import { isLost } from './is-lost.ts'
import { useInstanceName } from './use-instance-name.ts'

interface ClusterNoticesProps {
  cluster: Resource
  /** Why the last action failed. */
  failure: Error | null
  onDismiss: () => void
  /** Its workers, with what is wrong with each, stand on the same page. */
  showsWorkers?: boolean
}

/** Notices about the cluster: faults of it or its workers, and why the last action failed. */
export function ClusterNotices({ cluster, failure, onDismiss, showsWorkers = false }: ClusterNoticesProps) {
  const t = useText()
  const instanceName = useInstanceName()
  const { clusterId, name, status, missing, error, network, givenUpAt } = cluster
  // On its page the way out of it stands in its place.
  const isTold = showsWorkers && (status === 'restore_error' || isLost(cluster))
  const errored = (status === 'errored' || status === 'restore_error' || missing) && !isTold
  const gone = showsWorkers ? [] : cluster.workers.filter((worker) => worker.missing)
  const unreached = network?.state === 'failed' || network?.state === 'missing'
  const copied = !showsWorkers && cluster.copies.some(({ isAnswered }) => !isAnswered)
  const waits = status === 'waiting_destroy' || status === 'destroy_to_be_confirmed'
  if (
    !errored &&
    givenUpAt === null &&
    !copied &&
    !(waits && showsWorkers) &&
    gone.length === 0 &&
    !unreached &&
    (!failure || isSilent(failure))
  )
    return null
  return (
    <div className={classes.notices}>
      {errored && (
        <Notice
          tone="coral"
          title={t('cluster.erroredTitle', { name })}
          action={
            status === 'restore_error' && (
              <Button
                size="xs"
                aria-label={t('common.labelled', { label: name, value: t('cluster.enterPassword') })}
                renderRoot={(props) => <Link {...props} to="/cluster/$clusterId" params={{ clusterId }} />}
              >
                {t('cluster.enterPassword')}
              </Button>
            )
          }
        >
          {error ?? t(missing ? 'cluster.instanceMissing' : 'cluster.erroredUnknown')}
        </Notice>
      )}
      {copied && (
        <Notice tone="amber" title={t('cluster.copiedTitle', { name })}>
          {t('cluster.copied')}
        </Notice>
      )}
      {givenUpAt !== null && (
        <Notice tone="amber" title={t('cluster.givenUpTitle', { name })}>
          {t(cluster.clusterType === 'SelfHost' ? 'cluster.givenUpOwn' : 'cluster.givenUp')}
        </Notice>
      )}
      {waits && showsWorkers && (
        <Notice
          tone={status === 'waiting_destroy' ? 'coral' : 'amber'}
          title={t(status === 'waiting_destroy' ? 'order.waitingDestroyTitle' : 'order.toBeConfirmedTitle', { name })}
        >
          {status === 'destroy_to_be_confirmed'
            ? t('order.toBeConfirmed')
            : t(cluster.overdue ? 'order.waitingDestroyPay' : 'order.waitingDestroy')}
        </Notice>
      )}
      {gone.map((worker) => (
        <Notice
          key={worker.instanceId}
          tone="amber"
          title={t('cluster.workerMissing', { name: instanceName({ role: 'worker', name: worker.name }) })}
        >
          {t('cluster.workerMissingHelp')}
        </Notice>
      ))}
      {unreached && status === 'running' && (
        <Notice tone="amber" title={t('cluster.unreached', { name })}>
          {network.reason}
        </Notice>
      )}
      <FailureNotice
        error={failure}
        action={<CloseButton size="sm" aria-label={t('failure.close')} onClick={onDismiss} />}
      />
    </div>
  )
}
