import { type Resource, statusTable } from '@atoll/contract'
import { Button } from '@mantine/core'
import type { Action } from '../../components/actions/action.ts'
import { useLocale, useText } from '../../i18n/text.ts'
import classes from './DangerZone.module.css'
import { SettingRow, SettingRows } from './SettingRow.tsx'

interface DangerZoneProps {
  cluster: Resource
  actions: Action[]
}

/** What cannot be undone, apart from everything else. */
export function DangerZone({ cluster, actions }: DangerZoneProps) {
  const t = useText()
  const locale = useLocale()
  const { name } = cluster
  const destroy = actions.find(({ key }) => key === 'destroyMaster')
  const refused = destroy
    ? destroy.disabledReason
    : t('detail.destroyNotNow', { status: statusTable[cluster.status].label[locale] })
  return (
    <section aria-labelledby="danger">
      <h2 id="danger" className={classes.heading}>
        {t('detail.danger')}
      </h2>
      <SettingRows tone="danger">
        <SettingRow title={t('detail.destroyTitle', { name })} text={refused ?? t('detail.destroyText')}>
          <Button size="xs" variant="dangerOutline" disabled={refused !== undefined} onClick={destroy?.onSelect}>
            {t('detail.destroyTitle', { name })}
          </Button>
        </SettingRow>
      </SettingRows>
    </section>
  )
}
