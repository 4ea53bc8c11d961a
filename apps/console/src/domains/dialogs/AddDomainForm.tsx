import { domainAdd, toDomainBase } from '@atoll/contract/domains'
import { TextInput } from '@mantine/core'
import { useNavigate } from '@tanstack/react-router'
import type { ReactNode } from 'react'
import { type CallForm, useCallForm } from '../../kit/form/use-call-form.ts'
import { ChangeButton } from '../../kit/page/ChangeButton.tsx'
import { FailureNotice } from '../../kit/page/FailureNotice.tsx'
import { useText } from '../../locales/text.ts'
import classes from '../List.module.css'

type AddForm = CallForm<typeof domainAdd, { domain: string }>

/** Adds a domain, and leads to its page. */
export function useAddDomain(): { form: AddForm; submit: ReturnType<AddForm['submit']> } {
  const t = useText()
  const navigate = useNavigate()
  const form = useCallForm(domainAdd, {
    values: { domain: '' },
    check: ({ domain }) => ({ domain: domain === '' ? t('domains.missing') : undefined }),
  })
  const submit = form.submit(
    ({ domain }) => void navigate({ to: '/domain/$base', params: { base: toDomainBase(domain) } }),
  )
  return { form, submit }
}

export function DomainField({ form, focused }: { form: AddForm; focused?: boolean }) {
  const t = useText()
  return (
    <TextInput
      {...form.field('domain')}
      {...(focused && { 'data-autofocus': true })}
      label={t('domains.domain')}
      placeholder={t('domains.example')}
      autoComplete="off"
      autoCapitalize="off"
      spellCheck={false}
      inputMode="url"
    />
  )
}

/** The form on a page that has nothing else. */
export function AddDomainForm({ notice }: { notice?: ReactNode }) {
  const t = useText()
  const { form, submit } = useAddDomain()
  return (
    <form onSubmit={submit} noValidate className={classes.addForm}>
      <div className={classes.addRow}>
        <DomainField form={form} />
        <ChangeButton type="submit" variant="filled" loading={form.isPending} className={classes.begin ?? ''}>
          {t('domains.begin')}
        </ChangeButton>
      </div>
      <FailureNotice error={form.error} className={classes.formFailure} />
      {notice}
    </form>
  )
}
