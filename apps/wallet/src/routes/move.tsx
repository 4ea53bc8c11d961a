import { createFileRoute, redirect } from '@tanstack/react-router'
import { movedTo } from '../api/runtime-config.ts'
import { Host } from '../approval/Host.tsx'
import { requireUnlocked } from '../guard.ts'
import { useText } from '../i18n/text.ts'
import { agree, checkReceipt, packBox } from '../keys/hand-over.ts'
import { keychain, useKeychain } from '../keys/use-keychain.ts'
import { BigButton } from '../kit/BigButton.tsx'
import { FactRow, FactRows } from '../kit/FactRows.tsx'
import { Screen } from '../kit/screens/Screen.tsx'
import { goOn, handOverUrl, heard } from '../move/addresses.ts'
import { clearBelongings, packBelongings } from '../move/belongings.ts'
import { WalletNames } from '../move/WalletNames.tsx'

/** At a former origin: hands its vault over to the present origin, as `keys/hand-over.ts` says. */
export const Route = createFileRoute('/move')({
  beforeLoad: (options) => {
    const to = movedTo()
    if (to === undefined) throw redirect({ to: '/' })
    // The answers of the other side come while this one is locked again; what they may do, this tab has agreed to.
    if (options.location.hash === '') requireUnlocked(options)
    return { to }
  },
  loader: async ({ location, context: { to } }): Promise<'asked' | 'changed'> => {
    if (location.hash === '') return 'asked'
    const said = heard(location.hash)
    const receipt = said.get('receipt')
    const places = { session: sessionStorage, storage: localStorage }
    if (receipt === '') {
      const box = await packBox(places, { pass: said.get('pass'), key: said.get('key') }, packBelongings(localStorage))
      if (box !== undefined) return await goOn(handOverUrl(to, '/receive', { box }))
    } else {
      const outcome = checkReceipt(places, receipt, packBelongings(localStorage))
      if (outcome === 'changed') return 'changed'
      if (outcome === 'kept') {
        clearBelongings(localStorage)
        keychain.erase()
        return await goOn(handOverUrl(to, '/receive', { end: 'done' }))
      }
    }
    throw redirect({ to: '/move', hash: '', replace: true })
  },
  component: Move,
})

function Move() {
  const t = useText()
  const { to } = Route.useRouteContext()
  const { identities } = useKeychain()
  const hasChanged = Route.useLoaderData() === 'changed'
  const { host } = new URL(to)
  const submit = () => {
    const pass = agree(sessionStorage)
    void goOn(handOverUrl(to, '/receive', { from: window.location.origin, pass }))
  }
  return (
    <Screen
      heading={t(hasChanged ? 'move.changed' : 'move.title')}
      lead={t(hasChanged ? 'move.changedLead' : 'move.lead', { host })}
      leave={{ icon: 'close', to: '/' }}
      actions={
        <BigButton variant="filled" onClick={submit}>
          {t('move.submit')}
        </BigButton>
      }
    >
      <FactRows>
        <FactRow name={t('move.from')}>
          <Host value={window.location.host} />
        </FactRow>
        <FactRow name={t('move.to')}>
          <Host value={host} />
        </FactRow>
        <FactRow name={t('home.title')}>
          <WalletNames entries={identities} />
        </FactRow>
      </FactRows>
    </Screen>
  )
}
