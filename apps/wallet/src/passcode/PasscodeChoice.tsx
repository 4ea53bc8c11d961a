import { useRef, useState } from 'react'
import { useText } from '../i18n/text.ts'
import { isWeakPasscode } from '../keys/passcode-strength.ts'
import { Screen } from '../kit/screens/Screen.tsx'
import { PasscodeEntry } from './PasscodeEntry.tsx'

interface PasscodeChoiceProps {
  /** Takes the passcode that was typed twice; rejects when it could not be used. */
  onChosen(passcode: string): Promise<void>
  leaveTo: '/' | '/settings'
}

/** A new passcode: typed, then typed again. */
export function PasscodeChoice({ onChosen, leaveTo }: PasscodeChoiceProps) {
  const t = useText()
  // A ref, not state: nothing draws it, and it goes as soon as it is used.
  const first = useRef<string>(undefined)
  const [step, setStep] = useState<'choose' | 'repeat' | 'busy'>('choose')
  const [complaint, setComplaint] = useState<'weak' | 'different' | 'failed'>()
  const restart = (why: typeof complaint) => {
    first.current = undefined
    setComplaint(why)
    setStep('choose')
  }
  const take = (passcode: string) => {
    if (step === 'choose') {
      if (isWeakPasscode(passcode)) return setComplaint('weak')
      first.current = passcode
      setComplaint(undefined)
      return setStep('repeat')
    }
    if (first.current !== passcode) return restart('different')
    first.current = undefined
    setStep('busy')
    onChosen(passcode).catch(() => restart('failed'))
  }
  const repeating = step !== 'choose'
  return (
    <Screen
      key={repeating ? 'repeat' : 'choose'}
      heading={t(repeating ? 'passcode.repeatTitle' : 'passcode.chooseTitle')}
      lead={t(repeating ? 'passcode.repeatLead' : 'passcode.chooseLead')}
      leave={step === 'repeat' ? { icon: 'back', onLeave: () => restart(undefined) } : { icon: 'back', to: leaveTo }}
    >
      <PasscodeEntry busy={step === 'busy'} message={complaint && t(`passcode.${complaint}`)} onComplete={take} />
    </Screen>
  )
}
