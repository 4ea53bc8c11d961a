import type { Resource } from '@atoll/contract/clusters'
import { statusLabel } from '@atoll/texts/statuses'
import { Button } from '@mantine/core'
import type { Action } from '../../kit/menu/action.ts'
import { SettingRow, SettingRows } from '../../kit/page/SettingRow.tsx'
import { useLocale, useText } from '../../locales/text.ts'
import type { AnyInstance } from '../actions/cluster-dialogs-context.ts'
import { useInstanceActions } from '../actions/use-instance-actions.ts'
import { useInstanceName } from '../card/use-instance-name.ts'
import classes from './DangerZone.module.css'

interface DangerZoneProps {
  cluster: Resource
  actions: Action[]
  /** Undefined: not known yet. */
  instances: AnyInstance[] | undefined
}

/** Acts that cannot be undone, apart from everything else. */
export function DangerZone({ cluster, actions, instances }: DangerZoneProps) {
  const t = useText()
  const locale = useLocale()
  const { name } = cluster
  const destroy = actions.find(({ key }) => key === 'destroyMaster')
  const refused = destroy
    ? destroy.disabledReason
    : t('detail.destroyNotNow', { status: statusLabel(cluster.status, locale) })
  return (
    <section aria-labelledby="danger">
      <h2 id="danger" className={classes.heading}>
        {t('detail.danger')}
      </h2>
      <SettingRows tone="danger">
        {instances
          ? instances
              .filter(({ role }) => role === 'worker')
              .map((worker) => <DangerWorker key={worker.instanceId} cluster={cluster} worker={worker} />)
          : cluster.workers.map(({ instanceId, name }) => <AwaitedWorker key={instanceId} name={name} />)}
        <SettingRow title={t('detail.destroyTitle', { name })} text={refused ?? t('detail.destroyText')}>
          <Button size="xs" variant="dangerOutline" disabled={refused !== undefined} onClick={destroy?.onSelect}>
            {t('detail.destroyTitle', { name })}
          </Button>
        </SettingRow>
      </SettingRows>
    </section>
  )
}

/** Keeps the room, so that what destroys the whole cluster does not move from under the pointer. */
function AwaitedWorker({ name: made }: { name: string }) {
  const t = useText()
  const name = useInstanceName()({ role: 'worker', name: made })
  return (
    <SettingRow title={t('detail.destroyTitle', { name })} text={t('detail.destroyWorkerText')}>
      <Button size="xs" variant="dangerOutline" loading>
        {t('detail.destroyTitle', { name })}
      </Button>
    </SettingRow>
  )
}

function DangerWorker({ cluster, worker }: { cluster: Resource; worker: AnyInstance }) {
  const t = useText()
  const name = useInstanceName()(worker)
  const destroy = useInstanceActions(cluster, worker).find(({ key }) => key === 'destroyWorker')
  if (!destroy) return null
  return (
    <SettingRow
      title={t('detail.destroyTitle', { name })}
      text={destroy.disabledReason ?? t('detail.destroyWorkerText')}
    >
      <Button
        size="xs"
        variant="dangerOutline"
        disabled={destroy.disabledReason !== undefined}
        onClick={destroy.onSelect}
      >
        {t('detail.destroyTitle', { name })}
      </Button>
    </SettingRow>
  )
}
