import type { Status } from '@atoll/contract/personal-server'
import { Mark } from '@atoll/ui'
import { IconActivityHeartbeat, IconArchive, IconArrowUpRight, IconFolder } from '@tabler/icons-react'
import { Link } from '@tanstack/react-router'
import type { ReactNode } from 'react'
import { useText } from '../i18n/text.ts'
import { AccountMenu } from './AccountMenu.tsx'
import classes from './Shell.module.css'

interface ShellProps {
  status: Status
  /** The ID signed in as. */
  name: string
  did: string
  children: ReactNode
}

/** The bar above every page inside: whose server, where to go, who is signed in. */
export function Shell({ status, name, did, children }: ShellProps) {
  const t = useText()
  return (
    <div className={classes.app}>
      <header className={classes.bar}>
        <span className={classes.brand}>
          <Mark size={22} />
          <span className={classes.name}>{status.clusterName ?? t('app.yours', { product: status.product })}</span>
        </span>
        <nav className={classes.nav} aria-label={t('nav.main')}>
          <Link to="/" className={classes.link} activeOptions={{ exact: true, includeSearch: false }}>
            <IconFolder size={18} stroke={1.6} aria-hidden="true" />
            {t('nav.files')}
          </Link>
          <Link to="/backups" className={classes.link}>
            <IconArchive size={18} stroke={1.6} aria-hidden="true" />
            {t('nav.backups')}
          </Link>
          <Link to="/status" className={classes.link}>
            <IconActivityHeartbeat size={18} stroke={1.6} aria-hidden="true" />
            {t('nav.status')}
          </Link>
        </nav>
        {status.consoleUrl && (
          <a href={status.consoleUrl} className={classes.console}>
            {t('nav.console', { product: status.product })}
            <IconArrowUpRight size={18} stroke={1.6} aria-hidden="true" />
          </a>
        )}
        <AccountMenu name={name} did={did} />
      </header>
      <main className={classes.page}>{children}</main>
    </div>
  )
}
