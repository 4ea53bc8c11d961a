import { type DomainDetail, domainTransferDelete } from '@atoll/contract/domains'
import { Notice } from '@atoll/ui'
import { serverNow } from '../../config/runtime-config.ts'
import { useCallMutation } from '../../data/use-call-mutation.ts'
import { Deadline } from '../../kit/figures/Deadline.tsx'
import { formatDeadline } from '../../kit/format/deadlines.ts'
import { ChangeButton } from '../../kit/page/ChangeButton.tsx'
import { useLocale, useText } from '../../locales/text.ts'
import { WalletCard } from './WalletCard.tsx'

/** An offer that is open: whose signature it waits for, and how it is taken back. */
export function TransferNotice({ detail }: { detail: DomainDetail }) {
  const t = useText()
  const locale = useLocale()
  const takeBack = useCallMutation(domainTransferDelete, { toast: true })
  const { transfer, domain } = detail
  if (!transfer) return null
  const params = { name: transfer.to, until: formatDeadline(transfer.until, serverNow(), locale) }
  return (
    <>
      <Notice
        tone="amber"
        role="status"
        title={
          <Deadline at={transfer.until} now={serverNow()}>
            {t('domains.transfer.offered', params)}
          </Deadline>
        }
        action={
          <ChangeButton size="xs" loading={takeBack.isPending} onClick={() => takeBack.mutate({ domain })}>
            {t('domains.transfer.takeBack')}
          </ChangeButton>
        }
      >
        {t(transfer.isSigned ? 'domains.transfer.waitsForThem' : 'domains.transfer.waitsForYou', params)}
      </Notice>
      {!transfer.isSigned && <WalletCard detail={detail} isOwnWallet />}
    </>
  )
}
