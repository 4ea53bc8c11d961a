import { fromDomainBase } from '@atoll/contract/domains'
import { Link, useParams } from '@tanstack/react-router'
import { useClusters } from '../../../clusters/use-clusters.ts'
import { useCurrentCrumb } from '../../../kit/page/crumb.ts'
import { useText } from '../../../locales/text.ts'
import { accountDestinations, innerLabels, mainDestinations, operatorDestination } from '../../places/destinations.ts'
import { isWithin, useHere } from '../../places/use-here.ts'
import classes from './Breadcrumb.module.css'

/** Where one is: the section, and the object in it. */
export function Breadcrumb() {
  const t = useText()
  const here = useHere()
  const { clusterId, base } = useParams({ strict: false })
  const { clusters } = useClusters()
  const label = Object.entries(innerLabels).find(([route]) => route === here)?.[1]
  const named = clusterId ? clusters?.find((each) => each.clusterId === clusterId)?.name : base && fromDomainBase(base)
  const said = useCurrentCrumb()
  const inner = label ? t(label) : (named ?? said)
  const section =
    here === operatorDestination.to ? operatorDestination : mainDestinations.find(({ holds }) => isWithin(holds, here))
  if (!inner || !section) {
    const place = [...mainDestinations, ...accountDestinations].find(({ to }) => to === here)
    return <span className={classes.here}>{t(place?.label ?? 'shell.clusters')}</span>
  }
  return (
    <div className={classes.trail}>
      <Link to={section.to}>{t(section.label)}</Link>
      <span className={classes.slash} aria-hidden="true">
        /
      </span>
      <span className={classes.here}>{inner}</span>
    </div>
  )
}
