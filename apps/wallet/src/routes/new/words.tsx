import { generateMnemonic } from '@atoll/did'
import { IconEyeOff } from '@tabler/icons-react'
import { createFileRoute, useNavigate } from '@tanstack/react-router'
import { useState } from 'react'
import { requireNotLocked } from '../../guard.ts'
import { useText } from '../../i18n/text.ts'
import classes from '../../identities/WordCover.module.css'
import { WordGrid } from '../../identities/WordGrid.tsx'
import { draftWords, startDraft } from '../../keys/draft.ts'
import { BigButton } from '../../kit/BigButton.tsx'
import { Screen } from '../../kit/screens/Screen.tsx'

export const Route = createFileRoute('/new/words')({
  beforeLoad: (options) => {
    requireNotLocked(options)
    // Coming back from the check shows the same words.
    if (!draftWords()) startDraft(generateMnemonic().split(' '))
  },
  component: NewWords,
})

function NewWords() {
  const t = useText()
  const navigate = useNavigate()
  const [shown, setShown] = useState(false)
  return (
    <Screen
      heading={t('words.title')}
      lead={t('words.lead')}
      leave={{ icon: 'back', to: '/' }}
      actions={
        shown ? (
          <BigButton variant="filled" onClick={() => void navigate({ to: '/new/check' })}>
            {t('words.written')}
          </BigButton>
        ) : (
          <BigButton variant="filled" onClick={() => setShown(true)}>
            {t('words.show')}
          </BigButton>
        )
      }
    >
      <WordGrid words={shown ? draftWords() : undefined} />
      {!shown && (
        <p className={classes.hint}>
          <IconEyeOff size={16} stroke={1.6} aria-hidden="true" />
          {t('words.covered')}
        </p>
      )}
    </Screen>
  )
}
