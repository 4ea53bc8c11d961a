import { type CustomerDetail, customerErase, customerKeep } from '@atoll/contract/staff'
import { displayName } from '@atoll/contract/wire'
import { formatDeadline } from '../../kit/format/deadlines.ts'
import { useLocale, useText } from '../../locales/text.ts'
import { ActDialog } from '../approve/ActDialog.tsx'
import { ActNotice } from './ActNotice.tsx'

interface ClosingProps {
  customer: CustomerDetail
  onChanged: () => void
}

/** That an account closes, and keeping it. */
export function ClosingNotice({ customer, onChanged }: ClosingProps) {
  const t = useText()
  const locale = useLocale()
  const { accountId } = customer.person
  const id = displayName(customer.person)
  if (customer.closesAt === null) return null
  return (
    <ActNotice
      title={t('operator.closesOn', { at: formatDeadline(customer.closesAt, Date.now(), locale) })}
      label={t('operator.keepAccount')}
      onClosed={onChanged}
      dialog={{
        title: t('operator.keepTitle', { id }),
        lead: t('operator.keepText'),
        act: 'keep',
        call: customerKeep,
        fields: { accountId },
        asks: { object: accountId, name: id },
        keep: t('operator.letClose'),
      }}
    >
      {t('operator.closesText')}
    </ActNotice>
  )
}

/** Closes an account whose owner asked for it by mail. */
export function EraseDialog({ customer, onClose }: { customer: CustomerDetail; onClose: () => void }) {
  const t = useText()
  const { accountId } = customer.person
  const id = displayName(customer.person)
  return (
    <ActDialog
      onClose={onClose}
      title={t('operator.eraseTitle', { id })}
      lead={t('operator.eraseText')}
      act="erase"
      call={customerErase}
      fields={{ accountId }}
      asks={{ object: accountId, name: id }}
      keep={t('operator.keepAccount')}
      isDanger
    >
      {() => <p>{t('operator.eraseKept')}</p>}
    </ActDialog>
  )
}
