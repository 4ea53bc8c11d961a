import { Mark } from '@atoll/ui'
import { IconShieldCheck } from '@tabler/icons-react'
import { Link } from '@tanstack/react-router'
import type { ReactNode } from 'react'
import { runtimeConfig } from '../config/runtime-config.ts'
import { AppearanceButton } from '../kit/menu/AppearanceButton.tsx'
import { LanguageSwitch } from '../kit/menu/LanguageSwitch.tsx'
import { SiteLinks } from '../kit/site/SiteLinks.tsx'
import { useText } from '../locales/text.ts'
import classes from './LoginFrame.module.css'

interface LoginFrameProps {
  /** Named at the foot: what the phone must say too. */
  host: string
  children: ReactNode
}

/** Sign-in without the console's shell: mark and switches above, the host below. */
export function LoginFrame({ host, children }: LoginFrameProps) {
  const t = useText()
  const { product } = runtimeConfig()
  return (
    <div className={classes.page}>
      <header className={classes.header}>
        <div className={classes.brand}>
          <Mark size={28} />
          {product}
        </div>
        <div className={classes.switches}>
          <LanguageSwitch />
          <AppearanceButton />
        </div>
      </header>
      <main className={classes.main}>{children}</main>
      <footer className={classes.footer}>
        <IconShieldCheck size={17} stroke={1.6} aria-hidden="true" />
        <span>
          {t('login.hostBefore')}
          <b>{host}</b>
          {t('login.hostAfter')}
        </span>
        <nav className={classes.links} aria-label={t('help.title')}>
          <Link to="/help/{-$page}" params={{ page: 'sign-in' }}>
            {t('help.title')}
          </Link>
          <SiteLinks />
        </nav>
      </footer>
    </div>
  )
}
