import { createFileRoute, useNavigate } from '@tanstack/react-router'
import { useCallback, useRef, useState } from 'react'
import { requireUnlocked } from '../guard.ts'
import { useText } from '../i18n/text.ts'
import { keychain } from '../keys/use-keychain.ts'
import { BigButton } from '../kit/BigButton.tsx'
import { DoneScreen } from '../kit/screens/DoneScreen.tsx'
import { Screen } from '../kit/screens/Screen.tsx'
import { PasscodeChoice } from '../passcode/PasscodeChoice.tsx'
import { PasscodeProof } from '../passcode/PasscodeProof.tsx'

export const Route = createFileRoute('/change-passcode')({ beforeLoad: requireUnlocked, component: ChangePasscode })

function ChangePasscode() {
  const t = useText()
  const navigate = useNavigate()
  const current = useRef<string>(undefined)
  const [step, setStep] = useState<'prove' | 'choose' | 'done'>('prove')
  const prove = useCallback(async (passcode: string) => {
    await keychain.unlock(passcode)
    current.current = passcode
    setStep('choose')
  }, [])
  const change = async (passcode: string) => {
    await keychain.changePasscode(current.current ?? '', passcode)
    current.current = undefined
    setStep('done')
  }
  if (step === 'choose') return <PasscodeChoice onChosen={change} leaveTo="/settings" />
  if (step === 'done')
    return (
      <DoneScreen
        title={t('passcode.changed')}
        lead={t('settings.about')}
        actions={<BigButton onClick={() => void navigate({ to: '/settings' })}>{t('act.done')}</BigButton>}
      />
    )
  return (
    <Screen
      heading={t('passcode.currentTitle')}
      lead={t('passcode.currentLead')}
      leave={{ icon: 'back', to: '/settings' }}
    >
      <PasscodeProof prove={prove} />
    </Screen>
  )
}
