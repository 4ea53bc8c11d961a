import { IconCirclePlus, IconCircles } from '@tabler/icons-react'
import { Link, useMatchRoute } from '@tanstack/react-router'
import type { Account } from '../../accounts/account.ts'
import { useClusters } from '../../api/use-clusters.ts'
import { useText } from '../../i18n/text.ts'
import { Brand } from './Brand.tsx'
import { QuotaMeter } from './QuotaMeter.tsx'
import classes from './Sidebar.module.css'

interface SidebarProps {
  account: Account
}

/** Where one can go, and how much of the quota is in use. Only places that exist. */
export function Sidebar({ account }: SidebarProps) {
  const t = useText()
  const { clusters } = useClusters(account.userid)
  const inCluster = useMatchRoute()({ to: '/cluster/$clusterId' }) !== false
  return (
    <nav className={classes.side} aria-label={t('shell.navigation')}>
      <Brand />
      <Link to="/" className={classes.item} activeOptions={{ exact: true }} data-within={inCluster || undefined}>
        <IconCircles size={18} stroke={1.6} aria-hidden="true" />
        {t('shell.clusters')}
        {clusters && clusters.length > 0 && <span className={classes.count}>{clusters.length}</span>}
      </Link>
      <Link to="/create/{-$uid}" className={classes.item}>
        <IconCirclePlus size={18} stroke={1.6} aria-hidden="true" />
        {t('shell.create')}
      </Link>
      <div className={classes.space} />
      <QuotaMeter userid={account.userid} />
    </nav>
  )
}
