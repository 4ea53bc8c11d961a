import { type DomainMember, type Invited, memberAdd, memberEmail, memberPassword } from '@atoll/contract/domains'
import { Button, TextInput } from '@mantine/core'
import { useState } from 'react'
import { runtimeConfig, serverNow } from '../../config/runtime-config.ts'
import { CopyFact } from '../../kit/dialog/CopyFact.tsx'
import dialog from '../../kit/dialog/Dialog.module.css'
import { DialogFooter } from '../../kit/dialog/DialogFooter.tsx'
import { FormDialog } from '../../kit/dialog/FormDialog.tsx'
import { type FieldProps, useCallForm } from '../../kit/form/use-call-form.ts'
import { formatDeadline } from '../../kit/format/deadlines.ts'
import { useLocale, useText } from '../../locales/text.ts'
import type { AskedOfMember } from './member-actions.ts'

interface MemberDialogProps {
  /** A-labels, as calls take it. */
  domain: string
  shown: string
  asked: AskedOfMember
  onClose: () => void
}

/** Invites somebody, or makes another one-time password; then the password is shown, this once. */
export function MemberDialog({ domain, shown, asked, onClose }: MemberDialogProps) {
  const t = useText()
  const [invited, setInvited] = useState<Invited>()
  const answers = { onDone: setInvited, onClose }
  const name = asked.kind === 'invite' ? shown : asked.member.name
  return (
    <FormDialog
      opened
      onClose={onClose}
      title={
        invited
          ? t('domains.members.toldTitle', { name: invited.member.name })
          : t(`domains.members.${asked.kind}Title`, { name })
      }
    >
      {invited ? (
        <Told invited={invited} domain={domain} onClose={onClose} />
      ) : asked.kind === 'invite' ? (
        <InviteForm domain={domain} shown={shown} {...answers} />
      ) : asked.kind === 'mail' ? (
        <MailForm domain={domain} member={asked.member} {...answers} />
      ) : (
        <RenewForm domain={domain} member={asked.member} {...answers} />
      )}
    </FormDialog>
  )
}

interface FormProps {
  domain: string
  onDone: (invited: Invited) => void
  onClose: () => void
}

function InviteForm({ domain, shown, onDone, onClose }: FormProps & { shown: string }) {
  const t = useText()
  const form = useCallForm(memberAdd, {
    values: { name: '', email: '' },
    rest: { domain },
    check: ({ name }) => ({ name: name === '' ? t('domains.members.nameMissing') : undefined }),
  })
  return (
    <form onSubmit={form.submit(onDone)} noValidate>
      <p className={dialog.text}>{t('domains.members.inviteText', { domain: shown })}</p>
      <TextInput
        {...form.field('name', t('domains.members.nameHelp'))}
        className={dialog.field}
        data-autofocus
        label={t('domains.members.name')}
        autoComplete="off"
        autoCapitalize="off"
        spellCheck={false}
      />
      <EmailField field={form.field('email', t('domains.members.emailHelp'))} label={t('domains.members.emailMaybe')} />
      <Send error={form.error} busy={form.isPending} label={t('domains.members.invite')} onClose={onClose} />
    </form>
  )
}

function MailForm({ domain, member: { name, email }, onDone, onClose }: FormProps & { member: DomainMember }) {
  const t = useText()
  const form = useCallForm(memberEmail, { values: { email: email ?? '' }, rest: { domain, name } })
  return (
    <form onSubmit={form.submit(onDone)} noValidate>
      <p className={dialog.text}>{t('domains.members.mailText')}</p>
      <EmailField field={form.field('email')} label={t('domains.members.email')} focused />
      <Send error={form.error} busy={form.isPending} label={t('domains.members.mailSend')} onClose={onClose} />
    </form>
  )
}

function RenewForm({ domain, member: { name }, onDone, onClose }: FormProps & { member: DomainMember }) {
  const t = useText()
  const form = useCallForm(memberPassword, { values: {}, rest: { domain, name } })
  return (
    <form onSubmit={form.submit(onDone)} noValidate>
      <p className={dialog.text}>{t('domains.members.renewText')}</p>
      <Send error={form.error} busy={form.isPending} label={t('domains.members.renew')} onClose={onClose} />
    </form>
  )
}

function EmailField({ field, label, focused }: { field: FieldProps; label: string; focused?: boolean }) {
  return (
    <TextInput
      {...field}
      {...(focused && { 'data-autofocus': true })}
      className={dialog.field}
      label={label}
      type="email"
      autoComplete="off"
      spellCheck={false}
    />
  )
}

interface SendProps {
  error: Error | null
  busy: boolean
  label: string
  onClose: () => void
}

function Send({ error, busy, label, onClose }: SendProps) {
  const t = useText()
  return (
    <>
      <DialogFooter error={error}>
        <Button onClick={onClose}>{t('domains.keep')}</Button>
        <Button type="submit" variant="filled" loading={busy}>
          {label}
        </Button>
      </DialogFooter>
    </>
  )
}

/** The values that somebody needs to join; of the password only a hash is kept. */
function Told({ invited, domain, onClose }: { invited: Invited; domain: string; onClose: () => void }) {
  const t = useText()
  const locale = useLocale()
  const { member, oneTimePassword, mailed } = invited
  const until = member.expireAt && formatDeadline(member.expireAt, serverNow(), locale)
  return (
    <div role="status">
      <p className={dialog.text}>
        {mailed && member.email
          ? t('domains.members.toldMailed', { email: member.email })
          : t('domains.members.toldHandOver')}
      </p>
      <p className={dialog.text}>{t('domains.members.toldHow', { name: member.name })}</p>
      <dl className={dialog.facts}>
        <CopyFact label={t('domains.members.wallet')} value={`${runtimeConfig().walletUrl.replace(/\/+$/, '')}/join`} />
        <CopyFact label={t('domains.domain')} value={domain} />
        <CopyFact label={t('domains.members.name')} value={member.name} />
        <CopyFact label={t('domains.members.password')} value={oneTimePassword} secret />
      </dl>
      <p className={dialog.help}>
        {t('domains.members.once')}
        {until && t('domains.members.onceUntil', { time: until })}
      </p>
      <DialogFooter>
        <Button variant="filled" data-autofocus onClick={onClose}>
          {t('domains.members.done')}
        </Button>
      </DialogFooter>
    </div>
  )
}
