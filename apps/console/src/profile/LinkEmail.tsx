import { emailShow } from '@atoll/contract/accounts'
import { useState } from 'react'
import { useCall } from '../data/use-call.ts'
import { LoadFailure } from '../kit/page/LoadFailure.tsx'
import { useText } from '../locales/text.ts'
import { EmailAddressForm } from './EmailAddressForm.tsx'
import { EmailCodeForm } from './EmailCodeForm.tsx'

/** Links an address on another page than the profile: the address, then the code that was mailed there. */
export function LinkEmail({ onCancel }: { onCancel: () => void }) {
  const t = useText()
  const { data, error, refetch } = useCall(emailShow, {})
  const [isTyping, setTyping] = useState(false)
  if (!data) return error && <LoadFailure title={t('profile.emailErrorTitle')} error={error} onRetry={refetch} />
  return data.pending && !isTyping ? (
    <EmailCodeForm pending={data.pending} onOther={() => setTyping(true)} />
  ) : (
    <EmailAddressForm onSent={() => setTyping(false)} onCancel={onCancel} />
  )
}
