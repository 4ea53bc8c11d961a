import { Button, PasswordInput, TextInput } from '@mantine/core'
import { createFileRoute, useRouter } from '@tanstack/react-router'
import { type FormEvent, useState } from 'react'
import { z } from 'zod'
import { signIn } from '../api/server.ts'
import { useProblemText } from '../api/use-problem-text.ts'
import { Cover } from '../components/Cover.tsx'
import classes from '../components/Form.module.css'
import { useTitle } from '../components/use-title.ts'
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
  const problemText = useProblemText()
  const { status } = Route.useLoaderData()
  const { next } = Route.useSearch()
  const router = useRouter()
  const [busy, setBusy] = useState(false)
  const [problem, setProblem] = useState<string>()
  useTitle(status)
  const submit = async (event: FormEvent<HTMLFormElement>) => {
    event.preventDefault()
    const fields = new FormData(event.currentTarget)
    setBusy(true)
    setProblem(undefined)
    try {
      await signIn(String(fields.get('name')).trim(), String(fields.get('password')))
      forgetServerState()
      router.history.replace(next ?? '/')
    } catch (error) {
      setProblem(problemText(error))
      setBusy(false)
    }
  }
  const name = status.clusterName ?? t('app.yours', { product: status.product })
  return (
    <Cover name={name} heading={t('signIn.title')} lead={t('signIn.lead', { name })}>
      <form className={classes.form} onSubmit={(event) => void submit(event)}>
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
          onChange={() => setProblem(undefined)}
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
