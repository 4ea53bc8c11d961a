import { Notice } from '@atoll/ui'
import { createFileRoute, redirect, useNavigate } from '@tanstack/react-router'
import { z } from 'zod'
import { requireNotLocked } from '../../guard.ts'
import { useText } from '../../i18n/text.ts'
import { draftWords, dropDraft } from '../../keys/draft.ts'
import { IdentityKnown } from '../../keys/keychain.ts'
import { keychain } from '../../keys/use-keychain.ts'
import { BigButton } from '../../kit/BigButton.tsx'
import { Screen } from '../../kit/screens/Screen.tsx'
import { PasscodeChoice } from '../../passcode/PasscodeChoice.tsx'

/** Puts the drafted words into the vault: an open one at once, a new one after its passcode was chosen. */
export const Route = createFileRoute('/new/passcode')({
  validateSearch: z.object({ imported: z.boolean().optional() }),
  beforeLoad: async (options) => {
    requireNotLocked(options)
    if (!draftWords()) throw redirect({ to: '/' })
    if (keychain.getState().vault !== 'present') return
    const did = await keepDraft()
    if (did) throw redirect({ to: '/new/register/$did', params: { did } })
  },
  component: NewPasscode,
})

/** @returns the DID of the kept identity, or undefined when the wallet has it already */
async function keepDraft(): Promise<string | undefined> {
  try {
    const did = await keychain.add(draftWords() ?? [])
    dropDraft()
    return did
  } catch (error) {
    if (error instanceof IdentityKnown) return undefined
    throw error
  }
}

function NewPasscode() {
  const t = useText()
  const navigate = useNavigate()
  if (keychain.getState().vault === 'present')
    return (
      <Screen
        heading={t('import.title')}
        leave={{ icon: 'close', to: '/' }}
        actions={<BigButton onClick={() => void navigate({ to: '/' })}>{t('act.home')}</BigButton>}
      >
        <Notice tone="neutral" title={t('import.known')} role="status" />
      </Screen>
    )
  const finish = async (passcode: string) => {
    await keychain.create(passcode)
    const did = await keepDraft()
    if (did) await navigate({ to: '/new/register/$did', params: { did }, replace: true })
  }
  return <PasscodeChoice onChosen={finish} leaveTo="/" />
}
