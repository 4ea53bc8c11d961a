import type { DomainTransfer } from '@atoll/contract/domains'
import type { ComponentProps } from 'react'
import { useText } from '../i18n/text.ts'
import { BigButton } from '../kit/BigButton.tsx'
import { Screen } from '../kit/screens/Screen.tsx'
import { ObstacleNotice } from './ObstacleNotice.tsx'
import { type Application, applicationPayload, selfIssuedPayload } from './papers.ts'
import { SignedFields } from './SignedFields.tsx'
import type { Obstacle, TransferPapers } from './use-domain.ts'

interface TransferScreenProps {
  transfer: DomainTransfer
  who: Pick<ComponentProps<typeof SignedFields>, 'host' | 'domain' | 'name' | 'did'>
  leave: NonNullable<ComponentProps<typeof Screen>['leave']>
  busy: boolean
  obstacle: Obstacle | undefined
}

/** Whoever has the domain signs that it goes to the member they chose. */
export function HandOnScreen({
  transfer,
  who,
  leave,
  busy,
  obstacle,
  papers,
  onSign,
}: TransferScreenProps & { papers: TransferPapers; onSign: (papers: TransferPapers) => void }) {
  const t = useText()
  return (
    <Screen
      heading={t('domain.handOn')}
      lead={t('domain.handOnLead', { domain: transfer.shown, name: transfer.to })}
      leave={leave}
      actions={
        <BigButton variant="filled" loading={busy} onClick={() => onSign(papers)}>
          {t('domain.handOnSign')}
        </BigButton>
      }
    >
      <SignedFields {...who} action={t('domain.handOnAction', { name: transfer.to })} signed={[{ fields: papers }]} />
      <ObstacleNotice obstacle={obstacle} />
    </Screen>
  )
}

/** The member applies for the credential of a domain that is offered to them. */
export function TakeOverScreen({
  transfer,
  who,
  leave,
  busy,
  obstacle,
  application,
  onSign,
}: TransferScreenProps & { application: Application; onSign: (application: Application) => void }) {
  const t = useText()
  const params = { domain: transfer.shown, name: transfer.from }
  return (
    <Screen
      heading={t('domain.takeOver')}
      lead={t(transfer.isSigned ? 'domain.takeOverLead' : 'domain.takeOverWaits', params)}
      leave={leave}
      actions={
        <BigButton variant="filled" loading={busy} disabled={!transfer.isSigned} onClick={() => onSign(application)}>
          {t('domain.takeOverSign')}
        </BigButton>
      }
    >
      <SignedFields
        {...who}
        action={t('domain.applyAction')}
        signed={[
          { title: t('domain.partSelfIssued'), fields: selfIssuedPayload(application) },
          { title: t('domain.partApplication'), fields: applicationPayload(application, t('domain.signedAbove')) },
        ]}
      />
      <ObstacleNotice obstacle={obstacle} />
    </Screen>
  )
}
