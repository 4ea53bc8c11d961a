import { type Hold, userHoldAnswer, userHolds, userSupportAnswer, userSupportAsk } from '@atoll/contract/accounts'
import { Notice } from '@atoll/ui'
import { Button, Textarea } from '@mantine/core'
import { Link } from '@tanstack/react-router'
import { useState } from 'react'
import { useClusters } from '../clusters/use-clusters.ts'
import { serverNow } from '../config/runtime-config.ts'
import { useCall } from '../data/use-call.ts'
import { useCallMutation } from '../data/use-call-mutation.ts'
import dialog from '../kit/dialog/Dialog.module.css'
import { DialogFooter } from '../kit/dialog/DialogFooter.tsx'
import { FormDialog } from '../kit/dialog/FormDialog.tsx'
import { Deadline } from '../kit/figures/Deadline.tsx'
import { useCallForm } from '../kit/form/use-call-form.ts'
import { formatDeadline } from '../kit/format/deadlines.ts'
import { formatDayAndTimeWithin } from '../kit/format/times.ts'
import { ChangeButton } from '../kit/page/ChangeButton.tsx'
import { useLocale, useText } from '../locales/text.ts'
import { useCurrentAccount } from '../session/account-store.ts'
import classes from './Suspended.module.css'

/**
 * On every page: what of the account is suspended, why, what still works, and a way to answer; and why support asks to
 * look at the account.
 */
export function Suspended() {
  const { data: holds = [] } = useCall(userHolds, {})
  const asks = useCall(userSupportAsk, {}).data?.reason
  const closesAt = useCurrentAccount()?.closesAt
  return (
    <>
      {closesAt && <ClosingStrip closesAt={closesAt} />}
      {asks && <SupportAsks reason={asks} />}
      {holds.map((hold) => (
        <HoldStrip key={hold.holdId} hold={hold} />
      ))}
    </>
  )
}

function ClosingStrip({ closesAt }: { closesAt: string }) {
  const t = useText()
  const locale = useLocale()
  const now = serverNow()
  const title = t('held.closes', { at: formatDeadline(closesAt, now, locale) })
  return (
    <section className={classes.strip} aria-label={title}>
      <Notice
        tone="coral"
        title={
          <Deadline at={closesAt} now={now}>
            {title}
          </Deadline>
        }
        action={
          <Button size="xs" renderRoot={(props) => <Link {...props} to="/yourData" />}>
            {t('held.closesMore')}
          </Button>
        }
      >
        {t('held.closesHelp')}
      </Notice>
    </section>
  )
}

function SupportAsks({ reason }: { reason: string }) {
  const t = useText()
  const answer = useCallMutation(userSupportAnswer, { toast: true })
  return (
    <section className={classes.strip} aria-label={t('held.supportAsks')}>
      <Notice
        title={t('held.supportAsks')}
        action={
          <>
            <ChangeButton
              size="xs"
              disabled={answer.isPending}
              onClick={() => answer.mutate({ allows: false, reason })}
            >
              {t('held.supportDecline')}
            </ChangeButton>
            <ChangeButton size="xs" disabled={answer.isPending} onClick={() => answer.mutate({ allows: true, reason })}>
              {t('held.supportAllow')}
            </ChangeButton>
          </>
        }
      >
        {t('held.supportSees', { reason })}
      </Notice>
    </section>
  )
}

function HoldStrip({ hold }: { hold: Hold }) {
  const t = useText()
  const locale = useLocale()
  const { clusters = [] } = useClusters()
  const [opened, setOpened] = useState(false)
  const name = clusters.find(({ clusterId }) => clusterId === hold.clusterId)?.name ?? hold.clusterId
  const now = serverNow()
  const at = (time: string) => formatDayAndTimeWithin(time, now, locale)
  const title =
    name === null ? t('held.account', { at: at(hold.since) }) : t('held.cluster', { name, at: at(hold.since) })
  return (
    <section className={classes.strip} aria-label={title}>
      <Notice
        tone="coral"
        title={title}
        action={
          <ChangeButton size="xs" onClick={() => setOpened(true)}>
            {t(hold.answer ? 'held.answerAgain' : 'held.answer')}
          </ChangeButton>
        }
      >
        {hold.text} {t(hold.scope === 'servers' ? 'held.stopped' : 'held.turnedAway')}{' '}
        {hold.answer
          ? t('held.answered', { at: at(hold.answer.at) })
          : hold.answerBy && (
              <Deadline at={hold.answerBy} now={now}>
                {t('held.answerBy', { at: formatDeadline(hold.answerBy, now, locale) })}
              </Deadline>
            )}
      </Notice>
      {opened && <AnswerDialog hold={hold} title={title} onClose={() => setOpened(false)} />}
    </section>
  )
}

function AnswerDialog({ hold, title, onClose }: { hold: Hold; title: string; onClose: () => void }) {
  const t = useText()
  const answer = useCallForm(userHoldAnswer, {
    rest: { holdId: hold.holdId },
    values: { text: hold.answer?.text ?? '' },
  })
  return (
    <FormDialog opened onClose={onClose} title={title}>
      <form onSubmit={answer.submit(onClose)} noValidate>
        <p className={dialog.text}>{hold.text}</p>
        <p className={dialog.text}>{t('held.works')}</p>
        <Textarea
          {...answer.field('text', t('held.help'))}
          className={dialog.field ?? ''}
          data-autofocus
          label={t('held.yours')}
          maxLength={2000}
          autosize
          minRows={4}
        />
        <DialogFooter error={answer.error}>
          <Button onClick={onClose}>{t('held.later')}</Button>
          <Button type="submit" variant="filled" loading={answer.isPending}>
            {t('held.send')}
          </Button>
        </DialogFooter>
      </form>
    </FormDialog>
  )
}
