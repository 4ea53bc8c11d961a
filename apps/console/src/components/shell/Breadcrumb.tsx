import { Link, useMatchRoute } from '@tanstack/react-router'
import { useClusters } from '../../api/use-clusters.ts'
import { useText } from '../../i18n/text.ts'
import classes from './Breadcrumb.module.css'
import { accountDestinations, mainDestinations } from './destinations.ts'

interface BreadcrumbProps {
  userid: string
}

/** Where one is: the section, and the object in it. */
export function Breadcrumb({ userid }: BreadcrumbProps) {
  const t = useText()
  const match = useMatchRoute()
  const { clusters } = useClusters(userid)
  const cluster = match({ to: '/cluster/$clusterId' })
  const inner = match({ to: '/create/{-$uid}' })
    ? t('home.create')
    : cluster && clusters?.find(({ clusterId }) => clusterId === cluster.clusterId)?.name
  if (!inner) {
    const here = [...mainDestinations, ...accountDestinations].find(({ to }) => match({ to }) !== false)
    return <span className={classes.here}>{t(here?.label ?? 'shell.clusters')}</span>
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
