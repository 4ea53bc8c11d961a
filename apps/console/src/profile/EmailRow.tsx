import { Button, Skeleton } from '@mantine/core'
import { useState } from 'react'
import { useText } from '../kit/i18n/text.ts'
import { LoadFailure } from '../kit/page/LoadFailure.tsx'
import { SettingRow } from '../kit/page/SettingRow.tsx'
import { showFailure, showNotice } from '../kit/toast/show-notice.ts'
import { EmailAddressForm } from './EmailAddressForm.tsx'
import { EmailCodeForm } from './EmailCodeForm.tsx'
import classes from './ProfilePage.module.css'
import { useEmail, useEmailChanges } from './use-email.ts'

interface EmailRowProps {
  userid: string
}

/** The linked email address; linking, changing and removing it. */
export function EmailRow({ userid }: EmailRowProps) {
  const t = useText()
  const { data, error, refetch } = useEmail(userid)
  const changes = useEmailChanges(userid)
  const [isTyping, setTyping] = useState(false)
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
  const remove = () =>
    changes.remove.mutate(undefined, {
      onSuccess: () => {
        setTyping(false)
        if (email) showNotice({ kind: 'success', text: t('profile.emailRemoved') })
      },
      onError: showFailure,
    })
  const isOpen = isTyping || pending !== null
  return (
    <div>
      <SettingRow title={t('profile.email')} text={email ?? t('profile.noEmail')}>
        {!isOpen && (
          <Button size="xs" onClick={() => setTyping(true)}>
            {t(email ? 'profile.emailChange' : 'profile.emailLink')}
          </Button>
        )}
        {email && (
          <Button size="xs" variant="dangerOutline" loading={changes.remove.isPending} onClick={remove}>
            {t('profile.emailRemove')}
          </Button>
        )}
      </SettingRow>
      {isTyping && (
        <EmailAddressForm changes={changes} onSent={() => setTyping(false)} onCancel={() => setTyping(false)} />
      )}
      {pending && !isTyping && <EmailCodeForm pending={pending} changes={changes} onOther={() => setTyping(true)} />}
    </div>
  )
}
