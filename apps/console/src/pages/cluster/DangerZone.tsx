import { type Resource, statusTable } from '@atoll/contract'
import { Button } from '@mantine/core'
import type { Action } from '../../components/actions/action.ts'
import { useLocale, useText } from '../../i18n/text.ts'
import classes from './DangerZone.module.css'

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
  return (
    <section aria-labelledby="danger">
      <h2 id="danger" className={classes.heading}>
        {t('detail.danger')}
      </h2>
      <div className={classes.card}>
        <div className={classes.words}>
          <div className={classes.title}>{t('detail.destroyTitle', { name })}</div>
          <div className={classes.text}>
            {destroy
              ? t('detail.destroyText')
              : t('detail.destroyNotNow', { status: statusTable[cluster.status].label[locale] })}
          </div>
        </div>
        <Button size="xs" variant="dangerOutline" disabled={!destroy} onClick={destroy?.onSelect}>
          {t('detail.destroyTitle', { name })}
        </Button>
      </div>
    </section>
  )
}
