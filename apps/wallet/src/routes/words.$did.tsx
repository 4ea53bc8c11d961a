import { createFileRoute, useNavigate } from '@tanstack/react-router'
import { useCallback, useEffect, useRef, useState } from 'react'
import { requireUnlocked } from '../guard.ts'
import { useText } from '../i18n/text.ts'
import { WordGrid } from '../identities/WordGrid.tsx'
import { keychain } from '../keys/use-keychain.ts'
import { BigButton } from '../kit/BigButton.tsx'
import { Screen } from '../kit/screens/Screen.tsx'
import { PasscodeProof } from '../passcode/PasscodeProof.tsx'

export const Route = createFileRoute('/words/$did')({ beforeLoad: requireUnlocked, component: ShowWords })

/** How long words stay on the screen, ms; then the passcode is asked again. */
const shownForMs = 90_000

function ShowWords() {
  const t = useText()
  const { did } = Route.useParams()
  const navigate = useNavigate()
  // A ref, not state: the words are in memory once, and only while this page shows them.
  const words = useRef<readonly string[]>(undefined)
  const [shown, setShown] = useState(false)
  const prove = useCallback(
    async (passcode: string) => {
      words.current = await keychain.revealWords(did, passcode)
      setShown(true)
    },
    [did],
  )
  useEffect(() => {
    if (!shown) return
    const timer = setTimeout(() => {
      words.current = undefined
      setShown(false)
    }, shownForMs)
    return () => clearTimeout(timer)
  }, [shown])
  const leave = () => void navigate({ to: '/identity/$did', params: { did } })
  if (!shown)
    return (
      <Screen heading={t('words.prove')} leave={{ icon: 'back', onLeave: leave }}>
        <PasscodeProof prove={prove} />
      </Screen>
    )
  return (
    <Screen
      heading={t('words.again')}
      lead={t('words.againLead')}
      leave={{ icon: 'close', onLeave: leave }}
      actions={<BigButton onClick={leave}>{t('act.done')}</BigButton>}
    >
      <WordGrid words={words.current} />
    </Screen>
  )
}
