import { createFileRoute, redirect, useNavigate } from '@tanstack/react-router'
import { useCallback } from 'react'
import { formerOrigins } from '../api/runtime-config.ts'
import { Host } from '../approval/Host.tsx'
import { requireNotLocked } from '../guard.ts'
import { useText } from '../i18n/text.ts'
import { awaitBox, type HandOver, openBox } from '../keys/hand-over.ts'
import { keychain } from '../keys/use-keychain.ts'
import { BigButton } from '../kit/BigButton.tsx'
import { FactRow, FactRows } from '../kit/FactRows.tsx'
import { DoneScreen } from '../kit/screens/DoneScreen.tsx'
import { Screen } from '../kit/screens/Screen.tsx'
import { goOn, handOverUrl, heard } from '../move/addresses.ts'
import { takeBelongings } from '../move/belongings.ts'
import { FormerWallets } from '../move/FormerWallets.tsx'
import { WalletNames } from '../move/WalletNames.tsx'
import { PasscodeProof } from '../passcode/PasscodeProof.tsx'

/** At the present origin: takes over the vault of a former one, as `keys/hand-over.ts` says. */
export const Route = createFileRoute('/receive')({
  beforeLoad: (options) => {
    if (formerOrigins().length === 0) throw redirect({ to: '/' })
    // To seal what arrives with the key of the vault that is here.
    if (heard(options.location.hash).get('box') !== '') requireNotLocked(options)
  },
  loader: async ({ location }): Promise<HandOver | 'done' | 'empty' | 'stopped'> => {
    const said = heard(location.hash)
    const from = said.get('from')
    const box = said.get('box')
    if (formerOrigins().includes(from)) {
      const key = await awaitBox(sessionStorage, from)
      return await goOn(handOverUrl(from, '/move', { pass: said.get('pass'), key }))
    }
    const handOver = box === '' ? undefined : await openBox(sessionStorage, box)
    return handOver ?? (said.get('end') === 'done' ? 'done' : said.get('end') === 'empty' ? 'empty' : 'stopped')
  },
  component: Receive,
})

function Receive() {
  const t = useText()
  const navigate = useNavigate()
  const state = Route.useLoaderData()
  if (typeof state !== 'string') return <Opened handOver={state} />
  const goHome = () => void navigate({ to: '/' })
  if (state === 'done')
    return (
      <DoneScreen
        title={t('receive.done')}
        lead={t('receive.doneLead')}
        actions={<BigButton onClick={goHome}>{t('act.done')}</BigButton>}
      />
    )
  return (
    <Screen heading={t(`receive.${state}`)} lead={t(`receive.${state}Lead`)} leave={{ icon: 'close', to: '/' }}>
      {state === 'stopped' && <FormerWallets />}
    </Screen>
  )
}

function Opened({ handOver: { from, vault, belongings, receipt } }: { handOver: HandOver }) {
  const t = useText()
  const { host } = new URL(from)
  const prove = useCallback(
    async (passcode: string) => {
      await keychain.takeOver(vault, passcode)
      takeBelongings(localStorage, belongings)
      await goOn(handOverUrl(from, '/move', { receipt }))
    },
    [from, vault, belongings, receipt],
  )
  return (
    <Screen heading={t('receive.title')} lead={t('receive.lead', { host })} leave={{ icon: 'close', to: '/' }}>
      <FactRows>
        <FactRow name={t('move.from')}>
          <Host value={host} />
        </FactRow>
        <FactRow name={t('home.title')}>
          <WalletNames entries={vault.entries} />
        </FactRow>
      </FactRows>
      <PasscodeProof prove={prove} />
    </Screen>
  )
}
