import type { ApproveCode } from '@atoll/contract/identity'
import { shorten } from '@atoll/contract/wire'
import { actSentence } from '@atoll/texts/acts'
import { Notice } from '@atoll/ui'
import { useNavigate } from '@tanstack/react-router'
import { useEffect, useState } from 'react'
import { recordSignature } from '../history/signature-log.ts'
import { currentLocale } from '../i18n/language.ts'
import { useText } from '../i18n/text.ts'
import { formatDeadlineClock } from '../i18n/times.ts'
import { Did } from '../identities/Did.tsx'
import { keychain, useKeychain } from '../keys/use-keychain.ts'
import { BigButton } from '../kit/BigButton.tsx'
import { FactRow, FactRows } from '../kit/FactRows.tsx'
import { DoneScreen } from '../kit/screens/DoneScreen.tsx'
import { Screen } from '../kit/screens/Screen.tsx'
import { PasscodeProof } from '../passcode/PasscodeProof.tsx'
import { type ActReading, deliverAct, readAct, reportActDeclined } from '../sign/act-request.ts'
import classes from './Approval.module.css'
import { ExactlySigned } from './ExactlySigned.tsx'
import { Host } from './Host.tsx'
import { useServerTime } from './use-server-time.ts'

type State = 'asking' | 'locked' | 'signing' | 'accepted' | 'gone' | 'unreachable'

/** An act of a site's staff: what, whom, how much and why, in words; signed exactly so, or declined. */
export function ApproveAct({ code }: { code: ApproveCode }) {
  const t = useText()
  const navigate = useNavigate()
  const now = useServerTime()
  const { identities } = useKeychain()
  const [reading, setReading] = useState<ActReading>({ kind: 'fetching' })
  const [state, setState] = useState<State>('asking')
  const { host } = new URL(code.message.url)
  useEffect(() => {
    let isLeft = false
    void readAct(code).then((answer) => {
      if (!isLeft) setReading(answer)
    })
    return () => {
      isLeft = true
    }
  }, [code])

  const request = reading.kind === 'asked' ? reading.request : undefined
  const signer = identities.find(({ did }) => did === request?.did)
  const name = request && (request.name.startsWith('did:') ? shorten(request.name) : request.name)
  const sentence = request && actSentence(request.statement, name ?? '', currentLocale())
  const payload = request && signer && { ...request.statement, iss: keychain.kidOf(signer.did) }

  const log = (kind: 'approvedAct' | 'declinedAct') =>
    recordSignature(localStorage, { at: Date.now(), kind, host, did: signer?.did ?? '' })
  const approve = async () => {
    if (!signer || !payload) return
    if (keychain.getState().locked) return setState('locked')
    setState('signing')
    const outcome = await deliverAct(code, await keychain.sign(signer.did, payload))
    if (outcome === 'accepted') log('approvedAct')
    setState(outcome)
  }
  const prove = async (passcode: string) => {
    await keychain.unlock(passcode)
    void approve()
  }
  const goHome = () => void navigate({ to: '/' })
  const decline = () => {
    log('declinedAct')
    reportActDeclined(code)
    goHome()
  }

  if (state === 'locked')
    return (
      <Screen
        title={t('approveAct.title')}
        heading={t('approve.passcode')}
        leave={{ icon: 'back', onLeave: () => setState('asking') }}
      >
        <PasscodeProof prove={prove} />
      </Screen>
    )
  if (state === 'accepted')
    return (
      <DoneScreen
        title={t('approveAct.done')}
        lead={t('approveAct.doneLead')}
        actions={<BigButton onClick={goHome}>{t('act.done')}</BigButton>}
      >
        <FactRows>
          <FactRow name={t('approve.action')}>{sentence}</FactRow>
        </FactRows>
      </DoneScreen>
    )

  const isOver = request !== undefined && now >= request.statement.exp * 1000 && state !== 'signing'
  const fault = (): [string, string | undefined] | undefined => {
    if (reading.kind === 'gone' || state === 'gone' || isOver) return [t('approveAct.gone'), t('approveAct.goneHelp')]
    if (reading.kind === 'unreachable' || state === 'unreachable')
      return [t('approve.unreachable', { host }), t('approveAct.unreachableHelp')]
    if (reading.kind === 'wrongName') return [t('approveAct.wrongName'), t('approveAct.wrongNameHelp')]
    if (reading.kind === 'unknown' || (request && !sentence))
      return [t('approveAct.unknown'), t('approveAct.unknownHelp')]
    if (request && !signer) return [t('approve.otherDid'), t('approve.otherDidHelp', { did: request.did })]
    return undefined
  }
  const shown = fault()
  const canSign = payload !== undefined && sentence !== undefined && (!shown || state === 'unreachable')
  return (
    <Screen
      title={t('approveAct.title')}
      leave={{ icon: 'close', to: '/' }}
      actions={
        <div className={classes.answers}>
          <BigButton onClick={decline} disabled={state === 'signing'}>
            {t('approve.decline')}
          </BigButton>
          <BigButton
            variant="filled"
            loading={state === 'signing' || reading.kind === 'fetching'}
            disabled={!canSign}
            onClick={() => void approve()}
          >
            {t('approve.approve')}
          </BigButton>
        </div>
      }
    >
      <section className={classes.site}>
        <p className={classes.asks}>{t('approve.asks')}</p>
        <p className={classes.host}>
          <Host value={host} />
        </p>
      </section>
      {reading.kind === 'fetching' && <p role="status">{t('approveAct.fetching', { host })}</p>}
      {request && sentence && (
        <FactRows footer={payload && <ExactlySigned parts={[{ fields: payload }]} />}>
          <FactRow name={t('approve.action')}>
            <b>{sentence}</b>
          </FactRow>
          <FactRow name={t('approveAct.customer')}>{name}</FactRow>
          <FactRow name={t('approveAct.reason')}>{request.statement.reason}</FactRow>
          <FactRow name={t('approveAct.until')}>
            <span className="num">{formatDeadlineClock(request.statement.exp * 1000, currentLocale())}</span>
          </FactRow>
          {signer && (
            <FactRow name={t('approve.as')}>
              <span className={classes.as}>{signer.name ?? shorten(signer.did)}</span>
              <Did value={signer.did} full />
            </FactRow>
          )}
        </FactRows>
      )}
      <div className={classes.notice}>
        {shown && (
          <Notice tone="coral" title={shown[0]} role="alert">
            {shown[1]}
          </Notice>
        )}
      </div>
    </Screen>
  )
}
