import { useCallback, useState } from 'react'
import { useSecondsUntil } from '../approval/use-seconds-until.ts'
import { useText } from '../i18n/text.ts'
import { WrongPasscode } from '../keys/cipher.ts'
import { PasscodeDelay } from '../keys/keychain.ts'
import { useKeychain } from '../keys/use-keychain.ts'
import { PasscodeEntry } from './PasscodeEntry.tsx'

interface PasscodeProofProps {
  /** Does what the passcode is asked for; rejects with the keychain's own errors. */
  prove(passcode: string): Promise<void>
}

/** Asks for the passcode of this wallet until it is right, with the keychain's delays between wrong ones. */
export function PasscodeProof({ prove }: PasscodeProofProps) {
  const t = useText()
  const { waitUntil } = useKeychain()
  const seconds = useSecondsUntil(waitUntil)
  const [state, setState] = useState<'idle' | 'busy' | 'wrong' | 'failed'>('idle')
  const submit = useCallback(
    async (passcode: string) => {
      setState('busy')
      try {
        await prove(passcode)
        setState('idle')
      } catch (error) {
        setState(error instanceof WrongPasscode || error instanceof PasscodeDelay ? 'wrong' : 'failed')
      }
    },
    [prove],
  )
  const message =
    seconds > 0
      ? t('passcode.wait', { seconds })
      : state === 'wrong' || state === 'failed'
        ? t(`passcode.${state}`)
        : undefined
  return (
    <PasscodeEntry
      busy={state === 'busy'}
      disabled={seconds > 0}
      message={message}
      onComplete={(passcode) => void submit(passcode)}
    />
  )
}
