import { StatusBadge } from '@atoll/ui'
import { formatBytes, formatMiB, formatPercent } from '@atoll/ui/i18n'
import type { ReactNode } from 'react'
import { useLocale, useText } from '../../kit/i18n/text.ts'
import table from '../../kit/table/Table.module.css'
import { ActionMenu } from '../actions/ActionMenu.tsx'
import { useInstanceActions } from '../actions/use-instance-actions.ts'
import { useInstanceName } from '../card/use-instance-name.ts'
import { useOfferingTitle } from '../card/use-offering-title.ts'
import { InstanceTrouble } from './InstanceTrouble.tsx'
import { Measured } from './Measured.tsx'
import type { ShownInstance } from './shown-instance.ts'
import { Uptime } from './Uptime.tsx'

interface InstanceLineProps extends ShownInstance {
  detail: ReactNode
  stale: boolean
}

/** One machine: what it is, how it is, how busy it is; what is wrong with it on a line of its own. */
export function InstanceLine({ instance, cluster, isTold = false, detail, stale }: InstanceLineProps) {
  const t = useText()
  const locale = useLocale()
  const offeringTitle = useOfferingTitle()
  const actions = useInstanceActions(cluster, instance)
  const name = useInstanceName()(instance)
  const { status, latest, missing, error, startedAt, cpuCoreCount, memorySize } = instance
  const runs = status === 'running' || status === 'inactivated'
  const measured = runs ? latest : null
  const [address, cpu, memory] = [t('instances.columnAddress'), t('detail.columnCpu'), t('detail.columnMemory')]
  const troubled = !isTold && (missing || error !== null)
  const known = cpuCoreCount > 0
  return (
    <>
      <tr data-troubled={troubled || undefined}>
        <td>
          <span className={table.main}>{name}</span>
          {detail && <span className={table.second}>{detail}</span>}
        </td>
        <td>
          <StatusBadge status={status} locale={locale} bare stale={stale} />
          {runs && startedAt && (
            <span className={table.second}>
              <Uptime since={startedAt} />
            </span>
          )}
        </td>
        <td data-label={t('detail.columnSize')}>
          {known ? (
            <span>
              {instance.offering && <span className={table.main}>{offeringTitle(instance.offering)}</span>}
              <span className={table.second}>
                {t('detail.size', { cpu: cpuCoreCount, memory: formatMiB(memorySize, locale) })}
              </span>
            </span>
          ) : (
            <Unknown />
          )}
        </td>
        <td data-label={address} className={table.address}>
          {instance.ip ?? <Unknown />}
        </td>
        <td data-label={cpu}>
          <Measured
            label={cpu}
            share={measured?.cpu}
            text={measured ? formatPercent(measured.cpu, locale) : ''}
            stale={stale}
          />
        </td>
        <td data-label={memory}>
          <Measured
            label={memory}
            share={measured && measured.memoryTotal > 0 ? measured.memoryUsed / measured.memoryTotal : undefined}
            text={
              measured
                ? t('detail.ofSize', {
                    used: formatBytes(measured.memoryUsed, locale),
                    total: formatBytes(measured.memoryTotal, locale),
                  })
                : ''
            }
            stale={stale}
          />
        </td>
        <td className={table.menu}>
          {actions.length > 0 && (
            <ActionMenu
              actions={actions}
              size={30}
              variant="subtle"
              label={t('common.more', { name: t('instances.ofCluster', { name, cluster: cluster.name }) })}
            />
          )}
        </td>
      </tr>
      {troubled && <InstanceTrouble instance={instance} actions={actions} />}
    </>
  )
}

/** A dash, and words for who cannot see it. */
function Unknown() {
  const t = useText()
  return (
    <span className={table.none}>
      <span aria-hidden="true">{t('detail.none')}</span>
      <span className={table.hidden}>{t('detail.noneText')}</span>
    </span>
  )
}
