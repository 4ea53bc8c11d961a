import type { Status } from '@atoll/contract/personal-server'
import { Button, TextInput } from '@mantine/core'
import type { FormEvent } from 'react'
import { useSubmission } from '../drive/use-submission.ts'
import { useText } from '../i18n/text.ts'
import { Cover } from './Cover.tsx'
import classes from './Form.module.css'

interface OneTimePasswordStepProps {
  status: Status
  /** The field's first value, from the console's link. Sent only at a press: a foreign link must use up no try. */
  password: string
  /** Rejects when the password is not accepted. */
  onSubmit(password: string): Promise<void>
}

/** Step 1: what the console shows under Activate. */
export function OneTimePasswordStep({ status, password: known, onSubmit }: OneTimePasswordStepProps) {
  const t = useText()
  const { busy, problem, submit, forgive } = useSubmission()
  const { product, clusterName, resetting } = status
  const save = (event: FormEvent<HTMLFormElement>) => {
    event.preventDefault()
    const password = String(new FormData(event.currentTarget).get('password'))
    void submit(() => onSubmit(password))
  }
  return (
    <Cover
      name={clusterName ?? t('app.yours', { product })}
      step={t('wizard.step', { step: 1 })}
      heading={t(resetting ? 'wizard.resetTitle' : 'wizard.passwordTitle', { product })}
      lead={t(resetting ? 'wizard.resetLead' : 'wizard.passwordLead')}
    >
      <form className={classes.form} onSubmit={save} autoComplete="off">
        <TextInput
          name="password"
          defaultValue={known}
          label={t('wizard.passwordLabel')}
          classNames={{ input: classes.mono ?? '' }}
          error={problem}
          onChange={forgive}
          autoCapitalize="none"
          autoCorrect="off"
          spellCheck={false}
          maxLength={128}
          required
          withAsterisk={false}
        />
        <Button type="submit" size="lg" variant="filled" loading={busy}>
          {t('act.continue')}
        </Button>
      </form>
    </Cover>
  )
}
