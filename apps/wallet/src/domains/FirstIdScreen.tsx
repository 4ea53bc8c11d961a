import { TextInput } from '@mantine/core'
import { useState } from 'react'
import { useText } from '../i18n/text.ts'
import bind from '../identities/BindForm.module.css'
import { useNameWords } from '../identities/use-name-words.ts'
import { keychain } from '../keys/use-keychain.ts'
import { SigningScreen, type SigningScreenProps } from './SigningScreen.tsx'
import { useSigningTime } from './use-signing-time.ts'

interface FirstIdScreenProps extends Pick<SigningScreenProps, 'heading' | 'lead' | 'who' | 'busy' | 'obstacle'> {
  /** The domain as people read it. */
  shown: string
  /** `time`: ms, as it is shown. */
  onTake(local: string, time: number): void
}

/** The first ID under a domain, its admin's own. */
export function FirstIdScreen({ shown, onTake, ...screen }: FirstIdScreenProps) {
  const { who } = screen
  const t = useText()
  const time = useSigningTime()
  const [local, setLocal] = useState('')
  const { name, error, words, tone } = useNameWords({ local, domain: who.domain })
  const signed = { name: `${local}@${who.domain}`, did: keychain.kidOf(who.did), time }
  return (
    <SigningScreen
      {...screen}
      label={t('domain.takeName')}
      disabled={name === undefined || error !== undefined}
      action={t('domain.nameAction')}
      signed={[{ fields: signed }]}
      onSign={() => onTake(local, time)}
    >
      <TextInput
        label={t('bind.label')}
        description={`@${shown}`}
        value={local}
        error={error !== undefined}
        aria-describedby="id-said"
        onChange={(event) => setLocal(event.currentTarget.value.trim().toLowerCase())}
        autoCapitalize="none"
        autoCorrect="off"
        spellCheck={false}
        maxLength={64}
      />
      <p id="id-said" className={bind.said} role="status" data-tone={tone}>
        {words}
      </p>
    </SigningScreen>
  )
}
