import { sendSetEmailCode } from '@atoll/contract/accounts'
import { errorMessage } from '@atoll/texts/refusals'
import { Button, TextInput } from '@mantine/core'
import { useCallForm } from '../kit/form/use-call-form.ts'
import { FailureNotice } from '../kit/page/FailureNotice.tsx'
import { useLocale, useText } from '../locales/text.ts'
import classes from './ProfilePage.module.css'

interface EmailAddressFormProps {
  onSent: () => void
  onCancel: () => void
}

/** Refuses early what can be no address. Only the server knows whether it can mail to it. */
const looksLikeAddress = /^[^\s@]+@[^\s@]+\.[^\s@]+$/

/** The address to link. */
export function EmailAddressForm({ onSent, onCancel }: EmailAddressFormProps) {
  const t = useText()
  const locale = useLocale()
  const { form, field, submit, isPending, error } = useCallForm(sendSetEmailCode, {
    values: { email: '' },
    check: ({ email }) => ({
      email: email === '' || looksLikeAddress.test(email) ? undefined : errorMessage('emailMalformed', locale),
    }),
  })
  return (
    <form className={classes.form} onSubmit={submit(onSent)} noValidate>
      <TextInput
        {...field('email', t('profile.addressHelp'))}
        className={classes.field ?? ''}
        label={t('profile.address')}
        type="email"
        autoComplete="email"
        autoCapitalize="none"
        spellCheck={false}
        autoFocus
      />
      <FailureNotice error={error} />
      <div className={classes.actions}>
        <Button type="submit" variant="filled" loading={isPending} disabled={form.values.email.trim() === ''}>
          {t('profile.sendCode')}
        </Button>
        <Button onClick={onCancel}>{t('profile.cancel')}</Button>
      </div>
    </form>
  )
}
