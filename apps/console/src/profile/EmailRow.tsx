import { emailRemove, emailShow } from '@atoll/contract/accounts'
import { Skeleton } from '@mantine/core'
import { useState } from 'react'
import { showToast } from '../data/show-toast.ts'
import { useCall } from '../data/use-call.ts'
import { useCallMutation } from '../data/use-call-mutation.ts'
import { ChangeButton } from '../kit/page/ChangeButton.tsx'
import { LoadFailure } from '../kit/page/LoadFailure.tsx'
import { SettingRow } from '../kit/page/SettingRow.tsx'
import { useText } from '../locales/text.ts'
import { EmailAddressForm } from './EmailAddressForm.tsx'
import { EmailCodeForm } from './EmailCodeForm.tsx'
import classes from './ProfilePage.module.css'

/** The linked email address; linking, changing and removing it. */
export function EmailRow() {
  const t = useText()
  const { data, error, refetch } = useCall(emailShow, {})
  const [isTyping, setTyping] = useState(false)
  const removal = useCallMutation(emailRemove, {
    toast: true,
    onSuccess() {
      setTyping(false)
      showToast({ kind: 'success', text: t('profile.emailRemoved') })
    },
  })
  if (!data && error)
    return (
      <div>
        <div className={classes.failure}>
          <LoadFailure title={t('profile.emailErrorTitle')} error={error} onRetry={refetch} />
        </div>
      </div>
    )
  if (!data) return <SettingRow title={t('profile.email')} text={<Skeleton height={12} my={3} width={200} />} />
  const { email, pending } = data
  const isOpen = isTyping || pending !== null
  return (
    <div>
      <SettingRow title={t('profile.email')} text={email ?? t('profile.noEmail')}>
        {!isOpen && (
          <ChangeButton size="xs" onClick={() => setTyping(true)}>
            {t(email ? 'profile.emailChange' : 'profile.emailLink')}
          </ChangeButton>
        )}
        {email && (
          <ChangeButton
            size="xs"
            variant="dangerOutline"
            loading={removal.isPending}
            onClick={() => removal.mutate({})}
          >
            {t('profile.emailRemove')}
          </ChangeButton>
        )}
      </SettingRow>
      {isTyping && <EmailAddressForm onSent={() => setTyping(false)} onCancel={() => setTyping(false)} />}
      {pending && !isTyping && <EmailCodeForm pending={pending} onOther={() => setTyping(true)} />}
    </div>
  )
}
