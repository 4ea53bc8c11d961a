import { type DomainTransfer, domainTransferDelete } from '@atoll/contract/domains'
import { Notice } from '@atoll/ui'
import { Button } from '@mantine/core'
import { serverNow } from '../../config/runtime-config.ts'
import { useCallMutation } from '../../data/use-call-mutation.ts'
import { Deadline } from '../../kit/figures/Deadline.tsx'
import { formatDeadline } from '../../kit/format/deadlines.ts'
import { ChangeButton } from '../../kit/page/ChangeButton.tsx'
import { useLocale, useText } from '../../locales/text.ts'
import { walletUrlOf } from '../wallet-url.ts'

/** A domain that somebody hands on to this account: taken over in the wallet, or declined. */
export function OfferNotice({ offer: { domain, shown, from, isSigned, until } }: { offer: DomainTransfer }) {
  const t = useText()
  const locale = useLocale()
  const decline = useCallMutation(domainTransferDelete, { toast: true })
  const params = { from, name: shown, until: formatDeadline(until, serverNow(), locale) }
  return (
    <Notice
      tone="amber"
      role="status"
      title={t('domains.transfer.offerTitle', params)}
      action={
        <>
          {isSigned && (
            <Button
              size="xs"
              variant="filled"
              aria-label={t('common.labelled', { label: domain, value: t('domains.transfer.accept') })}
              component="a"
              href={walletUrlOf(domain)}
              target="_blank"
              rel="noreferrer"
            >
              {t('domains.transfer.accept')}
            </Button>
          )}
          <ChangeButton
            size="xs"
            aria-label={t('common.labelled', { label: domain, value: t('domains.transfer.decline') })}
            loading={decline.isPending}
            onClick={() => decline.mutate({ domain })}
          >
            {t('domains.transfer.decline')}
          </ChangeButton>
        </>
      }
    >
      <Deadline at={until} now={serverNow()}>
        {t(isSigned ? 'domains.transfer.offerText' : 'domains.transfer.offerUnsigned', params)}
      </Deadline>
    </Notice>
  )
}
