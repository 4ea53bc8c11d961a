import { findMnemonicFault, normaliseMnemonic } from '@atoll/did'
import { Textarea } from '@mantine/core'
import { createFileRoute, useNavigate } from '@tanstack/react-router'
import { useRef, useState } from 'react'
import { walletAppName } from '../../api/runtime-config.ts'
import { requireNotLocked } from '../../guard.ts'
import { useText } from '../../i18n/text.ts'
import { useWordsVerdictText } from '../../identities/use-words-verdict-text.ts'
import classes from '../../identities/WordsField.module.css'
import { startDraft } from '../../keys/draft.ts'
import { judgeWords, type WordsVerdict } from '../../keys/words-verdict.ts'
import { BigButton } from '../../kit/BigButton.tsx'
import { Screen } from '../../kit/screens/Screen.tsx'

export const Route = createFileRoute('/new/import')({ beforeLoad: requireNotLocked, component: ImportWords })

function ImportWords() {
  const t = useText()
  const navigate = useNavigate()
  const verdictText = useWordsVerdictText()
  // Uncontrolled: the words stay in the field, only the verdict is state.
  const field = useRef<HTMLTextAreaElement>(null)
  const [verdict, setVerdict] = useState<WordsVerdict>({ kind: 'unfinished', count: 0 })
  const [pressed, setPressed] = useState(false)
  const judge = () => setVerdict(judgeWords(field.current?.value ?? ''))
  const submit = () => {
    const text = field.current?.value ?? ''
    if (findMnemonicFault(text)) return setPressed(true)
    startDraft(normaliseMnemonic(text).split(' '))
    void navigate({ to: '/new/passcode', search: { imported: true }, replace: true })
  }
  const bad = verdict.kind === 'wrong' || (pressed && verdict.kind !== 'ready')
  return (
    <Screen
      heading={t('import.title')}
      lead={t('import.lead', { wallet: walletAppName() })}
      leave={{ icon: 'back', to: '/' }}
      actions={
        <BigButton variant="filled" onClick={submit}>
          {t('import.submit')}
        </BigButton>
      }
    >
      <Textarea
        ref={field}
        label={t('import.label')}
        placeholder={t('import.placeholder')}
        classNames={{ input: classes.field }}
        rows={4}
        autoCapitalize="none"
        autoComplete="off"
        autoCorrect="off"
        spellCheck={false}
        error={bad}
        aria-describedby="verdict"
        onChange={judge}
      />
      <p id="verdict" className={classes.verdict} role="status" data-tone={bad ? 'bad' : verdict.kind}>
        {verdictText(verdict)}
      </p>
    </Screen>
  )
}
