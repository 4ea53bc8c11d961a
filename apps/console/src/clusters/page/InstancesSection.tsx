import type { Resource, ResourceDetail } from '@atoll/contract/clusters'
import { countUnreadable } from '@atoll/contract/wire'
import { formatMiB } from '@atoll/ui/i18n'
import { Button } from '@mantine/core'
import type { Action } from '../../kit/menu/action.ts'
import { useLocale, useText } from '../../locales/text.ts'
import classes from '../frame/ClusterPage.module.css'
import { InstanceTable } from '../instance-table/InstanceTable.tsx'

interface InstancesSectionProps {
  cluster: Resource
  details: ResourceDetail
  actions: Action[]
  stale: boolean
}

/** The instances of the cluster, with what each does now, and the way to one more. */
export function InstancesSection({ cluster, details, actions, stale }: InstancesSectionProps) {
  const t = useText()
  const locale = useLocale()
  const add = actions.find(({ key }) => key === 'addWorker')
  return (
    <section className="box clip" aria-labelledby="instances">
      <div className={classes.cardHeader}>
        <h2 id="instances">{t('detail.instances')}</h2>
        {details.cpuTotalCount > 0 && (
          <span className={classes.cardNote}>
            {t('detail.instancesTotal', {
              cpu: details.cpuTotalCount,
              memory: formatMiB(details.memoryTotalSize, locale),
            })}
          </span>
        )}
        {add && !add.disabledReason && (
          <Button
            size="xs"
            className={classes.cardAction ?? ''}
            leftSection={<add.icon size={15} stroke={1.6} aria-hidden="true" />}
            onClick={add.onSelect}
          >
            {add.label}
          </Button>
        )}
      </div>
      <InstanceTable
        rows={countUnreadable(
          details.data.map((instance) => ({ instance, cluster, isShownElsewhere: instance.role === 'master' })),
          details.data,
        )}
        stale={stale}
      />
    </section>
  )
}
