import { countRows, unreadableRows } from '@atoll/contract/wire'
import { whenIdle } from '@atoll/ui'
import { useIsFetching } from '@tanstack/react-query'
import { Link } from '@tanstack/react-router'
import { type ComponentType, useEffect, useState } from 'react'
import { useClusters } from '../../../clusters/use-clusters.ts'
import { runtimeConfig } from '../../../config/runtime-config.ts'
import { useText } from '../../../locales/text.ts'
import { sideDestinations } from '../../places/destinations.ts'
import { isWithin, useHere } from '../../places/use-here.ts'
import { Brand } from './Brand.tsx'
import { QuotaMeter } from './QuotaMeter.tsx'
import classes from './Sidebar.module.css'
import { StaffPart } from './StaffPart.tsx'

/** Where one can go, how many there are, and how much of the quota is in use. */
export function Sidebar() {
  const t = useText()
  const here = useHere()
  const { clusters = [] } = useClusters()
  const { product, version } = runtimeConfig()
  const counts: Record<string, number> = {
    '/': countRows(clusters) ?? 0,
    // Of a cluster that could not be read nobody knows how many it has.
    '/instance':
      unreadableRows(clusters) > 0 ? 0 : clusters.reduce((sum, { workers }) => sum + 1 + (countRows(workers) ?? 0), 0),
  }
  return (
    <nav className={classes.side} aria-label={t('shell.navigation')}>
      <Brand />
      {sideDestinations.map(({ to, label, icon: Icon, holds }) => (
        <Link
          key={to}
          to={to}
          className={classes.item}
          activeOptions={{ exact: true, includeSearch: false }}
          data-within={isWithin(holds, here) || undefined}
        >
          <Icon size={18} stroke={1.6} aria-hidden="true" />
          {t(label)}
          {to === '/domains' && <Waiting />}
          {counts[to] !== undefined && counts[to] > 0 && <span className={classes.count}>{counts[to]}</span>}
        </Link>
      ))}
      <StaffPart
        part="OperatorNav"
        props={{ item: classes.item ?? '', title: classes.title ?? '', count: classes.count ?? '' }}
      />
      <div className={classes.space} />
      <QuotaMeter />
      {version !== undefined && (
        <p className={classes.version}>
          {product} {version}
        </p>
      )}
    </nav>
  )
}

/** How long the browser may be busy before the count is asked for all the same, ms. */
const patienceMs = 10_000

/**
 * Comes and asks when nothing else is being asked: browsers have six connections to a host, and a slow server's answers
 * would keep the code of a menu that somebody opens waiting for this one. Without it the section is there all the same.
 */
function Waiting() {
  const [part, setPart] = useState<{ Part: ComponentType<{ className: string | undefined }> }>()
  const isBusy = useIsFetching() > 0
  const isWanted = part === undefined && !isBusy
  useEffect(() => {
    if (!isWanted) return undefined
    const load = () => {
      import('../../../domains/DomainsWaiting.tsx').then(
        ({ DomainsWaiting }) => setPart({ Part: DomainsWaiting }),
        () => undefined, // the page itself shows that the network is away
      )
    }
    return whenIdle(load, patienceMs)
  }, [isWanted])
  return part && <part.Part className={classes.count} />
}
