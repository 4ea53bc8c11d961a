import { Mark } from '@atoll/ui'
import { UnstyledButton } from '@mantine/core'
import { createFileRoute, redirect, useRouter } from '@tanstack/react-router'
import { useCallback, useState } from 'react'
import { z } from 'zod'
import { useText } from '../i18n/text.ts'
import { keychain } from '../keys/use-keychain.ts'
import { Screen } from '../kit/screens/Screen.tsx'
import { TypedConfirm } from '../kit/TypedConfirm.tsx'
import { PasscodeProof } from '../passcode/PasscodeProof.tsx'
import classes from '../passcode/Unlock.module.css'

/** `next` is a path of this wallet; anything else goes home. */
const Search = z.object({
  next: z
    .string()
    .regex(/^\/(?!\/)/)
    .catch('/')
    .default('/'),
})

export const Route = createFileRoute('/unlock')({
  validateSearch: Search,
  beforeLoad: () => {
    const { vault } = keychain.getState()
    if (vault !== 'present') throw redirect({ to: '/welcome' })
  },
  component: Unlock,
})

function Unlock() {
  const t = useText()
  const { next } = Route.useSearch()
  const router = useRouter()
  const [forgot, setForgot] = useState(false)
  const prove = useCallback(
    async (passcode: string) => {
      await keychain.unlock(passcode)
      router.history.replace(next)
    },
    [next, router],
  )
  const erase = () => {
    keychain.erase()
    void router.navigate({ to: '/welcome' })
  }
  const word = t('unlock.eraseWord')
  return (
    <Screen
      actions={
        <UnstyledButton className={classes.forgot} onClick={() => setForgot(true)}>
          {t('unlock.forgot')}
        </UnstyledButton>
      }
    >
      <div className={classes.brand}>
        <Mark size={40} />
        <h1>{t('unlock.title')}</h1>
      </div>
      <PasscodeProof prove={prove} />
      <TypedConfirm
        opened={forgot}
        title={t('unlock.forgotTitle')}
        consequences={[t('unlock.forgotBody')]}
        word={word}
        label={t('unlock.typeToErase', { word })}
        keepLabel={t('unlock.keep')}
        goLabel={t('unlock.eraseAll')}
        onKeep={() => setForgot(false)}
        onGo={erase}
      />
    </Screen>
  )
}
