import {
  type EmailBinding,
  emailCodeCancel,
  emailCodeDigits,
  sendSetEmailCode,
  verifyBindEmail,
} from '@atoll/contract/accounts'
import { Notice } from '@atoll/ui'
import { TextInput } from '@mantine/core'
import { runtimeConfig, serverNow } from '../config/runtime-config.ts'
import { showToast } from '../data/show-toast.ts'
import { useCallMutation } from '../data/use-call-mutation.ts'
import { useNow } from '../kit/browser/use-now.ts'
import { useCallForm } from '../kit/form/use-call-form.ts'
import { ChangeButton } from '../kit/page/ChangeButton.tsx'
import { FailureNotice } from '../kit/page/FailureNotice.tsx'
import { sentenceGap } from '../locales/sentence-gap.ts'
import { useLocale, useText } from '../locales/text.ts'
import classes from './ProfilePage.module.css'

interface EmailCodeFormProps {
  pending: NonNullable<EmailBinding['pending']>
  /** Another address is to be typed. */
  onOther: () => void
}

/** The code that was mailed: how the mail fares, the field for it, and another mail when a minute has passed. */
export function EmailCodeForm({ pending, onOther }: EmailCodeFormProps) {
  const t = useText()
  const [send, cancel] = [useCallMutation(sendSetEmailCode), useCallMutation(emailCodeCancel)]
  const { email } = pending
  const { form, field, submit, isPending, error } = useCallForm(verifyBindEmail, {
    rest: { email },
    values: { code: '' },
    // Once it is linked there is no code to ask for, and this form is gone.
    onSuccess: () => void showToast({ kind: 'success', text: t('profile.emailLinked') }),
  })
  useNow(1000)
  const wait = Math.ceil((new Date(pending.nextCodeAt).getTime() - serverNow()) / 1000)
  return (
    <form className={classes.form} onSubmit={submit()} noValidate>
      <MailNews email={email} state={pending.mail} />
      <TextInput
        {...field('code', t('profile.codeHelp', { count: pending.triesLeft }))}
        className={classes.field ?? ''}
        label={t('profile.code')}
        inputMode="numeric"
        autoComplete="one-time-code"
        maxLength={emailCodeDigits + 2}
        classNames={{ input: classes.code ?? '' }}
      />
      <FailureNotice error={error ?? send.error ?? cancel.error} />
      <div className={classes.actions}>
        <ChangeButton type="submit" variant="filled" loading={isPending} disabled={form.values.code.trim() === ''}>
          {t('profile.verify')}
        </ChangeButton>
        <ChangeButton
          loading={send.isPending}
          disabled={wait > 0}
          onClick={() => send.mutate({ email }, { onSuccess: form.reset })}
        >
          {wait > 0 ? t('profile.sendAgainIn', { seconds: wait }) : t('profile.sendAgain')}
        </ChangeButton>
        <ChangeButton variant="subtle" onClick={onOther}>
          {t('profile.otherAddress')}
        </ChangeButton>
        <ChangeButton variant="subtle" loading={cancel.isPending} onClick={() => cancel.mutate({})}>
          {t('profile.cancel')}
        </ChangeButton>
      </div>
    </form>
  )
}

/** How the mail with the code fares. */
function MailNews({ email, state }: { email: string; state: NonNullable<EmailBinding['pending']>['mail'] }) {
  const t = useText()
  const locale = useLocale()
  switch (state) {
    case 'waiting':
      return <Notice tone="neutral" role="status" title={t('profile.mailWaiting', { email })} />
    case 'sent':
      return (
        <Notice tone="neutral" role="status" title={t('profile.mailSent', { email })}>
          {runtimeConfig().outbox ? (
            <>
              {t('profile.mailInOutbox')}
              {sentenceGap(locale)}
              <a href="/outbox" target="_blank" rel="noopener" className={classes.inSentence}>
                {t('profile.openOutbox')}
              </a>
            </>
          ) : (
            t('profile.mailSentHelp')
          )}
        </Notice>
      )
    case 'delayed':
      return (
        <Notice tone="amber" role="status" title={t('profile.mailDelayed', { email })}>
          {t('profile.mailDelayedHelp')}
        </Notice>
      )
    case 'failed':
      return (
        <Notice tone="coral" role="alert" title={t('profile.mailFailed', { email })}>
          {t('profile.mailFailedHelp')}
        </Notice>
      )
  }
}
