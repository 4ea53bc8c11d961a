import type { AppPasswords as Shown } from '@atoll/contract/personal-server'
import { CopyButton } from '@atoll/ui'
import { Button } from '@mantine/core'
import { useRouter } from '@tanstack/react-router'
import { useState } from 'react'
import { Unreadable } from '../components/Unreadable.tsx'
import { useText } from '../i18n/text.ts'
import classes from '../sessions/Sessions.module.css'
import { AppPasswordDialog } from './AppPasswordDialog.tsx'
import { AppPasswordLine } from './AppPasswordLine.tsx'

interface AppPasswordsProps {
  passwords: Shown['passwords']
}

/** Passwords of devices that open the files over WebDAV: which there are, and a new one. */
export function AppPasswords({ passwords }: AppPasswordsProps) {
  const t = useText()
  const router = useRouter()
  const [asks, setAsks] = useState(false)
  const reload = () => void router.invalidate()
  const address = `${location.origin}/dav`
  return (
    <section className={classes.part} aria-labelledby="app-passwords">
      <h2 id="app-passwords">{t('appPasswords.title')}</h2>
      <p className={classes.lead}>{t('appPasswords.lead')}</p>
      <ul className={classes.card}>
        <li className={classes.line}>
          <div className={classes.words}>
            <span className={classes.title}>{t('appPasswords.address')}</span>
            <code className={classes.code}>{address}</code>
          </div>
          <CopyButton value={address} label={t('appPasswords.copyAddress')} copiedLabel={t('act.copied')} />
        </li>
        {passwords.map((one) => (
          <AppPasswordLine key={one.id} password={one} onRevoked={reload} />
        ))}
      </ul>
      <Unreadable of={passwords} />
      <Button onClick={() => setAsks(true)}>{t('appPasswords.new')}</Button>
      {asks && <AppPasswordDialog address={address} onMade={reload} onClose={() => setAsks(false)} />}
    </section>
  )
}
