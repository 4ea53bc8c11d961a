import { TextInput } from '@mantine/core'
import { type ReactNode, useState } from 'react'
import { findNameFault } from '../api/name-check.ts'
import { useText } from '../i18n/text.ts'
import { keychain } from '../keys/use-keychain.ts'
import { BigButton } from '../kit/BigButton.tsx'
import { Screen } from '../kit/screens/Screen.tsx'
import { SignedFields, type SignedForWhom } from './SignedFields.tsx'
import { useSigningTime } from './use-signing-time.ts'

interface FirstIdScreenProps {
  heading: string
  lead: string
  /** The domain as people read it. */
  shown: string
  who: SignedForWhom
  busy: boolean
  /** Why the last press came to nothing. */
  obstacle: ReactNode
  /** `time`: ms, as it is shown. */
  onTake(local: string, time: number): void
}

/** The first ID under a domain, its admin's own. */
export function FirstIdScreen({ heading, lead, shown, who, busy, obstacle, onTake }: FirstIdScreenProps) {
  const t = useText()
  const time = useSigningTime()
  const [local, setLocal] = useState('')
  const fault = local === '' ? undefined : findNameFault(local)
  const signed = { name: `${local}@${who.domain}`, did: keychain.kidOf(who.did), time }
  return (
    <Screen
      heading={heading}
      lead={lead}
      leave={{ icon: 'close', to: '/' }}
      actions={
        <BigButton
          variant="filled"
          loading={busy}
          disabled={local === '' || fault !== undefined}
          onClick={() => onTake(local, time)}
        >
          {t('domain.takeName')}
        </BigButton>
      }
    >
      <TextInput
        mb="md"
        label={t('bind.label')}
        description={`@${shown}`}
        value={local}
        error={fault && t(`bind.${fault}`)}
        onChange={(event) => setLocal(event.currentTarget.value.trim().toLowerCase())}
        autoCapitalize="none"
        autoCorrect="off"
        spellCheck={false}
        maxLength={64}
      />
      <SignedFields {...who} action={t('domain.nameAction')} signed={[{ fields: signed }]} />
      {obstacle}
    </Screen>
  )
}
