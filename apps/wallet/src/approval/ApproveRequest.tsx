import type { SignRequest } from '@atoll/contract/identity'
import { useNavigate } from '@tanstack/react-router'
import { useCallback } from 'react'
import { useText } from '../i18n/text.ts'
import { IdentityChoice } from '../identities/IdentityChoice.tsx'
import { keychain, useKeychain } from '../keys/use-keychain.ts'
import { BigButton } from '../kit/BigButton.tsx'
import { Screen } from '../kit/screens/Screen.tsx'
import { PasscodeProof } from '../passcode/PasscodeProof.tsx'
import { isExpired } from '../sign/approval.ts'
import { carryRequest } from '../sign/carried-request.ts'
import { useApproval } from '../sign/use-approval.ts'
import classes from './Approval.module.css'
import { ApprovalCard } from './ApprovalCard.tsx'
import { ApprovalNotice } from './ApprovalNotice.tsx'
import { ApprovalSite } from './ApprovalSite.tsx'
import { MatchNumber, matchNumberLength } from './MatchNumber.tsx'
import { SignedScreen } from './SignedScreen.tsx'
import { useServerTime } from './use-server-time.ts'

interface ApproveRequestProps {
  request: SignRequest
  /** The text that it was read from. */
  code: string
  /** The code came by a link on this device, not from another screen. */
  byLink: boolean
}

/** The request: site, purpose, time and identity; then signed, declined, or the reason why not. */
export function ApproveRequest({ request, code, byLink }: ApproveRequestProps) {
  const t = useText()
  const navigate = useNavigate()
  const now = useServerTime()
  const { identities } = useKeychain()
  const { approval, signed, state, chooseDid, asksNumber, number, setNumber, approve, decline, backToAsking } =
    useApproval(request)
  const empty = identities.length === 0
  const title = t(approval.event === 'login_cloud' ? 'approve.titleSignIn' : 'approve.titleActivation')
  const prove = useCallback(
    async (passcode: string) => {
      await keychain.unlock(passcode)
      void approve()
    },
    [approve],
  )
  const goHome = () => void navigate({ to: '/' })
  const setUp = (to: '/welcome' | '/new/import') => {
    carryRequest({ code, via: byLink ? undefined : 'scan' })
    void navigate({ to })
  }

  if (state.kind === 'signed') return <SignedScreen approval={approval} at={state.at} byLink={byLink} />
  if (state.kind === 'locked')
    return (
      <Screen title={title} heading={t('approve.passcode')} leave={{ icon: 'back', onLeave: backToAsking }}>
        <PasscodeProof prove={prove} />
      </Screen>
    )

  const expired = isExpired(approval, now) && state.kind !== 'signing'
  const answers = () => {
    if (empty)
      return (
        <BigButton variant="filled" onClick={() => setUp('/welcome')}>
          {t('approve.start')}
        </BigButton>
      )
    if (expired)
      return (
        <BigButton variant="filled" onClick={() => void navigate({ to: '/scan' })}>
          {t('act.scanAgain')}
        </BigButton>
      )
    if (!approval.signer)
      return (
        <div className={classes.answers}>
          <BigButton onClick={goHome}>{t('act.close')}</BigButton>
          <BigButton variant="filled" onClick={() => setUp('/new/import')}>
            {t('approve.importThat')}
          </BigButton>
        </div>
      )
    const refuse = () => {
      decline()
      goHome()
    }
    if (approval.foreign)
      return (
        <BigButton variant="filled" onClick={refuse}>
          {t('approve.decline')}
        </BigButton>
      )
    // A number is compared once: whether right or wrong, this code is spent.
    if (asksNumber && state.kind === 'refused')
      return (
        <div className={classes.answers}>
          <BigButton onClick={goHome}>{t('act.close')}</BigButton>
          <BigButton variant="filled" onClick={() => void navigate({ to: '/scan' })}>
            {t('act.scanAgain')}
          </BigButton>
        </div>
      )
    const isReady = asksNumber === false || (asksNumber === true && number.length === matchNumberLength)
    return (
      <div className={classes.answers}>
        <BigButton onClick={refuse} disabled={state.kind === 'signing'}>
          {t('approve.decline')}
        </BigButton>
        <BigButton
          variant="filled"
          loading={state.kind === 'signing' || asksNumber === undefined}
          disabled={!isReady}
          onClick={() => void approve()}
        >
          {t('approve.approve')}
        </BigButton>
      </div>
    )
  }
  return (
    <Screen title={title} leave={{ icon: 'close', to: '/' }} actions={answers()}>
      <ApprovalSite approval={approval} />
      <ApprovalCard
        approval={approval}
        now={now}
        signed={signed}
        change={
          !approval.askedDid && approval.signer && <IdentityChoice chosen={approval.signer.did} onChoose={chooseDid} />
        }
      />
      <ApprovalNotice approval={approval} state={state} expired={expired} empty={empty} byLink={byLink} />
      {asksNumber && approval.signer && !expired && state.kind !== 'refused' && (
        <MatchNumber value={number} onChange={setNumber} disabled={state.kind === 'signing'} />
      )}
    </Screen>
  )
}
