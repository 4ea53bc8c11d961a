import { useNavigate } from '@tanstack/react-router'
import { productName } from '../api/runtime-config.ts'
import { currentLocale } from '../i18n/language.ts'
import { useText } from '../i18n/text.ts'
import { formatMoment } from '../i18n/times.ts'
import { BigButton } from '../kit/BigButton.tsx'
import { FactRow, FactRows } from '../kit/FactRows.tsx'
import { DoneScreen } from '../kit/screens/DoneScreen.tsx'
import type { Approval } from '../sign/approval.ts'
import { Host } from './Host.tsx'

interface SignedScreenProps {
  approval: Approval
  /** ms, server's clock */
  at: number
  byLink: boolean
}

/** It is done; where to look now. */
export function SignedScreen({ approval, at, byLink }: SignedScreenProps) {
  const t = useText()
  const navigate = useNavigate()
  const elsewhere = approval.event === 'login_cloud' ? 'signed.otherScreen' : 'signed.otherScreenActivation'
  return (
    <DoneScreen
      title={t('signed.title')}
      lead={t(byLink ? 'signed.backToPage' : elsewhere)}
      actions={<BigButton onClick={() => void navigate({ to: '/' })}>{t('act.done')}</BigButton>}
    >
      <FactRows>
        <FactRow name={t('signed.site')}>
          <Host value={approval.host} />
        </FactRow>
        <FactRow name={t('signed.as')}>{approval.signer?.name ?? t('home.noId', { product: productName() })}</FactRow>
        <FactRow name={t('signed.time')}>
          <span className="num">{formatMoment(at, currentLocale())}</span>
        </FactRow>
      </FactRows>
    </DoneScreen>
  )
}
