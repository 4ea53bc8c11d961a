import { Button, TextInput } from '@mantine/core'
import { type FormEvent, useState } from 'react'
import { FailureNotice } from '../../components/FailureNotice.tsx'
import { useText } from '../../i18n/text.ts'
import classes from './ProfilePage.module.css'
import type { EmailChanges } from './use-email.ts'

interface EmailAddressFormProps {
  changes: EmailChanges
  onSent: () => void
  onCancel: () => void
}

/** The address to link. What is wrong with it is the server's to say, in a failure notice (spec §8) beside the field. */
export function EmailAddressForm({ changes: { send }, onSent, onCancel }: EmailAddressFormProps) {
  const t = useText()
  const [email, setEmail] = useState('')
  const submit = (event: FormEvent) => {
    event.preventDefault()
    if (send.isPending || email.trim() === '') return
    send.mutate({ email }, { onSuccess: onSent })
  }
  const cancel = () => {
    send.reset()
    onCancel()
  }
  return (
    <form className={classes.form} onSubmit={submit} noValidate>
      <TextInput
        className={classes.field ?? ''}
        label={t('profile.address')}
        description={t('profile.addressHelp')}
        inputWrapperOrder={['label', 'input', 'description', 'error']}
        error={send.isError}
        type="email"
        autoComplete="email"
        autoCapitalize="none"
        spellCheck={false}
        value={email}
        onChange={(event) => {
          send.reset()
          setEmail(event.currentTarget.value)
        }}
        autoFocus
      />
      <FailureNotice error={send.error} />
      <div className={classes.actions}>
        <Button type="submit" variant="filled" loading={send.isPending} disabled={email.trim() === ''}>
          {t('profile.sendCode')}
        </Button>
        <Button onClick={cancel}>{t('profile.cancel')}</Button>
      </div>
    </form>
  )
}
