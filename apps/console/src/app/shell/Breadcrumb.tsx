import { Link, useParams } from '@tanstack/react-router'
import { useClusters } from '../../clusters/use-clusters.ts'
import { useText } from '../../kit/i18n/text.ts'
import classes from './Breadcrumb.module.css'
import { accountDestinations, mainDestinations } from './destinations.ts'
import { useHere } from './use-here.ts'

/** Where one is: the section, and the object in it. */
export function Breadcrumb() {
  const t = useText()
  const here = useHere()
  const shown = useParams({ strict: false, select: ({ clusterId }) => clusterId })
  const { clusters } = useClusters()
  const inner =
    here === '/create/{-$uid}'
      ? t('home.create')
      : shown && clusters?.find(({ clusterId }) => clusterId === shown)?.name
  if (!inner) {
    const place = [...mainDestinations, ...accountDestinations].find(({ to }) => to === here)
    return <span className={classes.here}>{t(place?.label ?? 'shell.clusters')}</span>
  }
  return (
    <div className={classes.trail}>
      <Link to="/">{t('shell.clusters')}</Link>
      <span className={classes.slash} aria-hidden="true">
        /
      </span>
      <span className={classes.here}>{inner}</span>
    </div>
  )
}
