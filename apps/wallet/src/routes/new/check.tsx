import { TextInput } from '@mantine/core'
import { createFileRoute, redirect, useNavigate } from '@tanstack/react-router'
import { type FormEvent, useState } from 'react'
import { requireNotLocked } from '../../guard.ts'
import { useText } from '../../i18n/text.ts'
import { pickCheckPositions } from '../../keys/check-positions.ts'
import { draftWords } from '../../keys/draft.ts'
import { BigButton } from '../../kit/BigButton.tsx'
import { Screen } from '../../kit/screens/Screen.tsx'

export const Route = createFileRoute('/new/check')({
  beforeLoad: (options) => {
    requireNotLocked(options)
    if (!draftWords()) throw redirect({ to: '/new/words' })
  },
  component: CheckWords,
})

function CheckWords() {
  const t = useText()
  const navigate = useNavigate()
  const [positions] = useState(() => pickCheckPositions())
  const [wrong, setWrong] = useState<readonly number[]>([])
  const submit = (event: FormEvent<HTMLFormElement>) => {
    event.preventDefault()
    const answers = new FormData(event.currentTarget)
    const words = draftWords() ?? []
    const missed = positions.filter(
      (position) =>
        String(answers.get(String(position)))
          .trim()
          .toLowerCase() !== words[position - 1],
    )
    setWrong(missed)
    if (missed.length === 0) void navigate({ to: '/new/passcode', replace: true })
  }
  return (
    <Screen
      heading={t('check.title')}
      lead={t('check.lead')}
      leave={{ icon: 'back', to: '/new/words' }}
      actions={
        <>
          <BigButton variant="filled" type="submit" form="check">
            {t('act.continue')}
          </BigButton>
          <BigButton variant="subtle" onClick={() => void navigate({ to: '/new/words' })}>
            {t('check.lookAgain')}
          </BigButton>
        </>
      }
    >
      <form id="check" onSubmit={submit} style={{ display: 'grid', gap: 20 }} autoComplete="off">
        {positions.map((position) => (
          <TextInput
            key={position}
            name={String(position)}
            label={t('check.word', { number: position })}
            error={wrong.includes(position) && t('check.wrong', { number: position })}
            onChange={() => setWrong((before) => before.filter((each) => each !== position))}
            autoCapitalize="none"
            autoCorrect="off"
            spellCheck={false}
            data-autofocus={position === positions[0] || undefined}
          />
        ))}
      </form>
    </Screen>
  )
}
