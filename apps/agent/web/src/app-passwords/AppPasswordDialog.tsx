import type { AppPasswordMade } from '@atoll/contract/personal-server'
import { CopyButton, Dialog } from '@atoll/ui'
import { Button, PasswordInput, TextInput } from '@mantine/core'
import { useRouteContext } from '@tanstack/react-router'
import { type FormEvent, useState } from 'react'
import { makeAppPassword } from '../api/server.ts'
import dialog from '../drive/dialogs/Dialog.module.css'
import { useSubmission } from '../drive/use-submission.ts'
import { useText } from '../i18n/text.ts'
import classes from '../sessions/Sessions.module.css'

interface AppPasswordDialogProps {
  address: string
  onMade(): void
  onClose(): void
}

/** Asks for the name of a device and the owner's own password, then shows its password, once. */
export function AppPasswordDialog({ address, onMade, onClose }: AppPasswordDialogProps) {
  const t = useText()
  const { session } = useRouteContext({ from: '/_signed' })
  const [name, setName] = useState('')
  const [ownPassword, setOwnPassword] = useState('')
  const [touched, setTouched] = useState(false)
  const [made, setMade] = useState<AppPasswordMade>()
  const { busy, problem, submit, forgive } = useSubmission(onMade)
  const wanted = name.trim()
  const save = (event: FormEvent) => {
    event.preventDefault()
    setTouched(true)
    if (wanted !== '') void submit(async () => setMade(await makeAppPassword(wanted, ownPassword)))
  }
  if (made) {
    const facts = [
      { label: t('appPasswords.address'), value: address, copy: t('appPasswords.copyAddress') },
      { label: t('appPasswords.user'), value: session.name ?? '', copy: t('appPasswords.copyUser') },
      { label: t('appPasswords.password'), value: made.password, copy: t('appPasswords.copyPassword') },
    ]
    return (
      <Dialog opened onClose={onClose} title={t('appPasswords.madeTitle', { name: made.name })}>
        <div className={dialog.form}>
          <p className={dialog.words}>{t('appPasswords.once')}</p>
          <ul className={classes.card}>
            {facts.map(({ label, value, copy }) => (
              <li key={label} className={classes.line}>
                <div className={classes.words}>
                  <span className={classes.title}>{label}</span>
                  <code className={classes.code}>{value}</code>
                </div>
                <CopyButton value={value} label={copy} copiedLabel={t('act.copied')} />
              </li>
            ))}
          </ul>
          <div className={dialog.answers}>
            <Button variant="filled" onClick={onClose} data-autofocus>
              {t('appPasswords.done')}
            </Button>
          </div>
        </div>
      </Dialog>
    )
  }
  return (
    <Dialog opened onClose={onClose} title={t('appPasswords.new')}>
      <form onSubmit={save} className={dialog.form} autoComplete="off">
        <TextInput
          label={t('appPasswords.name')}
          description={t('appPasswords.nameHelp')}
          value={name}
          maxLength={60}
          error={touched && wanted === '' && t('newFolder.empty')}
          onChange={(event) => {
            setName(event.currentTarget.value)
            forgive()
          }}
          data-autofocus
        />
        <PasswordInput
          label={t('appPasswords.own')}
          autoComplete="current-password"
          value={ownPassword}
          error={problem}
          visibilityToggleButtonProps={{ 'aria-label': t('wizard.show') }}
          onChange={(event) => {
            setOwnPassword(event.currentTarget.value)
            forgive()
          }}
          required
          withAsterisk={false}
        />
        <div className={dialog.answers}>
          <Button type="button" onClick={onClose}>
            {t('act.cancel')}
          </Button>
          <Button type="submit" variant="filled" loading={busy}>
            {t('appPasswords.make')}
          </Button>
        </div>
      </form>
    </Dialog>
  )
}
