import { createFileRoute, useNavigate } from '@tanstack/react-router'
import { useCallback, useRef, useState } from 'react'
import { BigButton } from '../components/BigButton.tsx'
import { DoneScreen } from '../components/DoneScreen.tsx'
import { PasscodeChoice } from '../components/PasscodeChoice.tsx'
import { PasscodeProof } from '../components/PasscodeProof.tsx'
import { Screen } from '../components/Screen.tsx'
import { requireUnlocked } from '../guard.ts'
import { useText } from '../i18n/text.ts'
import { keychain } from '../keys/use-keychain.ts'

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
