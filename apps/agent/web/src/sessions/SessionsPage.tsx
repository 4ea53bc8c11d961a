import type { AppPasswords as Passwords, Sessions } from '@atoll/contract/personal-server'
import { countRows, unreadableRows } from '@atoll/contract/wire'
import { PageHeader } from '@atoll/ui'
import { Button } from '@mantine/core'
import { useRouter } from '@tanstack/react-router'
import { useState } from 'react'
import { AppPasswords } from '../app-passwords/AppPasswords.tsx'
import { Unreadable } from '../components/Unreadable.tsx'
import { useText } from '../i18n/text.ts'
import { EndOthersDialog } from './EndOthersDialog.tsx'
import { SessionLine } from './SessionLine.tsx'
import classes from './Sessions.module.css'
import { SignInLine } from './SignInLine.tsx'

interface SessionsPageProps {
  sessions: Sessions
  passwords: Passwords['passwords']
}

/** The owner's sessions, with a way to end them, and the last sign-ins and failed tries. */
export function SessionsPage({ sessions: { open, history }, passwords }: SessionsPageProps) {
  const t = useText()
  const router = useRouter()
  const [asks, setAsks] = useState(false)
  // One that could not be read is another: this browser reads its own.
  const others = open.filter(({ current }) => !current).length + unreadableRows(open)
  const finish = () => {
    setAsks(false)
    void router.invalidate()
  }
  return (
    <>
      <PageHeader
        title={t('sessions.title')}
        actions={others > 0 ? <Button onClick={() => setAsks(true)}>{t('sessions.endOthers')}</Button> : undefined}
      >
        {t('sessions.lead')}
      </PageHeader>
      <section className={classes.part} aria-labelledby="open-sessions">
        <h2 id="open-sessions">{t('sessions.open')}</h2>
        <ul className={classes.card}>
          {open.map((session) => (
            <SessionLine key={session.id} session={session} onEnded={finish} />
          ))}
        </ul>
        <Unreadable of={open} />
      </section>
      <AppPasswords passwords={passwords} />
      <section className={classes.part} aria-labelledby="sign-ins">
        <h2 id="sign-ins">{t('sessions.history')}</h2>
        <ul className={classes.card}>
          {history.map((signIn) => (
            <SignInLine key={`${signIn.at} ${signIn.outcome} ${signIn.place.network}`} signIn={signIn} />
          ))}
          {countRows(history) === 0 && <li className={classes.line}>{t('sessions.nobody')}</li>}
        </ul>
        <Unreadable of={history} />
      </section>
      {asks && <EndOthersDialog count={others} onDone={finish} onClose={() => setAsks(false)} />}
    </>
  )
}
