import { sendSetEmailCode } from '@atoll/contract/accounts'
import { Button, TextInput } from '@mantine/core'
import { type FormEvent, useState } from 'react'
import { useCallMutation } from '../data/use-call-mutation.ts'
import { useText } from '../kit/i18n/text.ts'
import { FailureNotice } from '../kit/page/FailureNotice.tsx'
import classes from './ProfilePage.module.css'

interface EmailAddressFormProps {
  onSent: () => void
  onCancel: () => void
}

/** Says early what can be no address. What we can mail to, the server alone knows. */
const looksLikeAddress = /^[^\s@]+@[^\s@]+\.[^\s@]+$/

/** The address to link. The server's refusal is told in a failure notice (spec §8) beside the field. */
export function EmailAddressForm({ onSent, onCancel }: EmailAddressFormProps) {
  const t = useText()
  const send = useCallMutation(sendSetEmailCode)
  const [email, setEmail] = useState('')
  const [left, setLeft] = useState(false)
  const isWrong = left && email.trim() !== '' && !looksLikeAddress.test(email.trim())
  const submit = (event: FormEvent) => {
    event.preventDefault()
    if (send.isPending || email.trim() === '') return
    send.mutate({ email }, { onSuccess: onSent })
  }
  return (
    <form className={classes.form} onSubmit={submit} noValidate>
      <TextInput
        className={classes.field ?? ''}
        label={t('profile.address')}
        description={isWrong ? undefined : t('profile.addressHelp')}
        inputWrapperOrder={['label', 'input', 'description', 'error']}
        error={send.error !== null || (isWrong && t('profile.addressInvalid'))}
        onBlur={() => setLeft(true)}
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
        <Button onClick={onCancel}>{t('profile.cancel')}</Button>
      </div>
    </form>
  )
}
