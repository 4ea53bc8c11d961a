import { Button, PasswordInput, TextInput } from '@mantine/core'
import { createFileRoute, useRouter } from '@tanstack/react-router'
import type { FormEvent } from 'react'
import { z } from 'zod'
import { signIn } from '../api/server.ts'
import { Cover } from '../components/Cover.tsx'
import classes from '../components/Form.module.css'
import { useTitle } from '../components/use-title.ts'
import { useSubmission } from '../drive/use-submission.ts'
import { useText } from '../i18n/text.ts'
import { forgetServerState, requirePlace } from '../server-state.ts'

/** `next` is a path of this server; anything else leads to the files. */
const Search = z.object({
  next: z
    .string()
    .regex(/^\/(?![/\\])/)
    .optional()
    .catch(undefined),
})

export const Route = createFileRoute('/sign-in')({
  validateSearch: Search,
  loader: () => requirePlace('sign-in'),
  component: SignIn,
})

function SignIn() {
  const t = useText()
  const { status } = Route.useLoaderData()
  const { next } = Route.useSearch()
  const router = useRouter()
  const { busy, problem, submit, forgive } = useSubmission(() => {
    forgetServerState()
    router.history.replace(next ?? '/')
  })
  useTitle(status)
  const send = (event: FormEvent<HTMLFormElement>) => {
    event.preventDefault()
    const fields = new FormData(event.currentTarget)
    void submit(() => signIn(String(fields.get('name')).trim(), String(fields.get('password'))))
  }
  const name = status.clusterName ?? t('app.yours', { product: status.product })
  return (
    <Cover name={name} heading={t('signIn.title')} lead={t('signIn.lead', { name })}>
      <form className={classes.form} onSubmit={send}>
        <TextInput
          name="name"
          label={t('signIn.name')}
          defaultValue={status.terminusName ?? ''}
          autoComplete="username"
          autoCapitalize="none"
          spellCheck={false}
          required
          withAsterisk={false}
        />
        <PasswordInput
          name="password"
          label={t('signIn.password')}
          autoComplete="current-password"
          error={problem}
          visibilityToggleButtonProps={{ 'aria-label': t('wizard.show') }}
          onChange={forgive}
          required
          withAsterisk={false}
          data-autofocus
        />
        <Button type="submit" size="lg" variant="filled" loading={busy}>
          {t('signIn.submit')}
        </Button>
      </form>
      <p className={classes.hint}>{t('signIn.forgot', { product: status.product })}</p>
    </Cover>
  )
}
