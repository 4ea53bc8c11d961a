import type { DomainTransfer } from '@atoll/contract/domains'
import { useText } from '../i18n/text.ts'
import { type Application, applicationPayload, selfIssuedPayload } from './documents.ts'
import { SigningScreen, type SigningScreenProps } from './SigningScreen.tsx'
import type { TransferDocuments } from './use-domain.ts'

interface TransferScreenProps extends Pick<SigningScreenProps, 'who' | 'busy' | 'obstacle'> {
  transfer: DomainTransfer
}

/** The domain's owner signs that it goes to the member they chose. */
export function HandOnScreen({
  transfer,
  documents,
  onSign,
  ...screen
}: TransferScreenProps & { documents: TransferDocuments; onSign: (documents: TransferDocuments) => void }) {
  const t = useText()
  return (
    <SigningScreen
      {...screen}
      heading={t('domain.handOn')}
      lead={t('domain.handOnLead', { domain: transfer.shown, name: transfer.to })}
      label={t('domain.handOnSign')}
      action={t('domain.handOnAction', { name: transfer.to })}
      signed={[{ fields: documents }]}
      onSign={() => onSign(documents)}
    />
  )
}

/** The member applies for the credential of a domain that is offered to them. */
export function TakeOverScreen({
  transfer,
  application,
  onSign,
  ...screen
}: TransferScreenProps & { application: Application; onSign: (application: Application) => void }) {
  const t = useText()
  const params = { domain: transfer.shown, name: transfer.from }
  return (
    <SigningScreen
      {...screen}
      heading={t('domain.takeOver')}
      lead={t(transfer.isSigned ? 'domain.takeOverLead' : 'domain.takeOverWaits', params)}
      label={t('domain.takeOverSign')}
      disabled={!transfer.isSigned}
      action={t('domain.applyAction')}
      signed={[
        { title: t('domain.partSelfIssued'), fields: selfIssuedPayload(application) },
        { title: t('domain.partApplication'), fields: applicationPayload(application, t('domain.signedAbove')) },
      ]}
      onSign={() => onSign(application)}
    />
  )
}
