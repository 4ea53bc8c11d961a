import { passwordLength, type Status } from '@atoll/contract/personal-server'
import { Button, PasswordInput } from '@mantine/core'
import { type FormEvent, useState } from 'react'
import { ApiProblem } from '../api/call.ts'
import { judgePassword } from '../api/password-strength.ts'
import { finishActivation } from '../api/server.ts'
import { useSubmission } from '../drive/use-submission.ts'
import { useText } from '../i18n/text.ts'
import { forgetServerState } from '../server-state.ts'
import { Cover } from './Cover.tsx'
import classes from './Form.module.css'
import { StrengthBar } from './StrengthBar.tsx'

interface NewPasswordStepProps {
  status: Status
  ticket: string
  onFinished(): void
  /** The approval ran out meanwhile: everything begins again. */
  onTicketLost(): void
}

/** Step 3: the password for signing in from now on, typed twice. */
export function NewPasswordStep({ status, ticket, onFinished, onTicketLost }: NewPasswordStepProps) {
  const t = useText()
  const [password, setPassword] = useState('')
  const [repeated, setRepeated] = useState('')
  const [isDifferent, setDifferent] = useState(false)
  const { busy, problem, submit, forgive } = useSubmission(onFinished)
  const { product, clusterName, terminusName } = status
  const strength = judgePassword(password, [terminusName?.split('@')[0] ?? '', clusterName ?? '', product])
  const usable = !['empty', 'short', 'long'].includes(strength)
  const save = (event: FormEvent) => {
    event.preventDefault()
    setDifferent(password !== repeated)
    if (password !== repeated) return
    void submit(async () => {
      await finishActivation(ticket, password).catch((error: unknown) => {
        if (error instanceof ApiProblem && error.code === 'ticketUnknown') onTicketLost()
        throw error
      })
      forgetServerState()
    })
  }
  return (
    <Cover
      name={clusterName ?? t('app.yours', { product })}
      step={t('wizard.step', { step: 3 })}
      heading={t('wizard.newTitle')}
      lead={t('wizard.newLead')}
    >
      <form className={classes.form} onSubmit={save}>
        {/* So that a password manager knows whose password this is. */}
        <input type="text" name="username" autoComplete="username" value={terminusName ?? ''} readOnly hidden />
        <PasswordInput
          label={t('wizard.newLabel')}
          autoComplete="new-password"
          value={password}
          onChange={(event) => setPassword(event.currentTarget.value)}
          visibilityToggleButtonProps={{ 'aria-label': t('wizard.show') }}
          aria-describedby="strength"
        />
        <StrengthBar id="strength" strength={strength} limits={passwordLength} />
        <PasswordInput
          label={t('wizard.repeatLabel')}
          autoComplete="new-password"
          value={repeated}
          onChange={(event) => {
            setRepeated(event.currentTarget.value)
            setDifferent(false)
            forgive()
          }}
          visibilityToggleButtonProps={{ 'aria-label': t('wizard.show') }}
          error={isDifferent ? t('wizard.different') : problem}
        />
        <Button type="submit" size="lg" variant="filled" loading={busy} disabled={!usable && !busy}>
          {t('wizard.finish')}
        </Button>
      </form>
    </Cover>
  )
}
