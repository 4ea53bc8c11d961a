import { invoiceWriteOff } from '@atoll/contract/staff'
import { IconReceiptOff } from '@tabler/icons-react'
import { useState } from 'react'
import { formatMoney } from '../../kit/format/money.ts'
import { useLocale, useText } from '../../locales/text.ts'
import { ActDialog } from '../approve/ActDialog.tsx'
import { OperatorMenu } from './OperatorMenu.tsx'

interface WriteOffProps {
  invoice: { invoiceId: string; number: string; amount: number; currency: 'usd' | 'cny' }
  /** The customer's. */
  name: string
  onChanged: () => void
}

/** The menu of a bill that is owed, which an operator may give up. */
export function WriteOff({ invoice: { invoiceId, number, amount, currency }, name, onChanged }: WriteOffProps) {
  const t = useText()
  const locale = useLocale()
  const [isOpen, setOpen] = useState(false)
  const act = { key: 'writeOff', label: t('operator.writeOff'), icon: IconReceiptOff, danger: true }
  return (
    <>
      <OperatorMenu name={number} actions={[{ ...act, onSelect: () => setOpen(true) }]} />
      {isOpen && (
        <ActDialog
          onClose={() => {
            setOpen(false)
            onChanged()
          }}
          title={t('operator.writeOffTitle', { number })}
          lead={t('operator.writeOffText', { amount: formatMoney(amount, currency, locale) })}
          act="writeOff"
          call={invoiceWriteOff}
          fields={{ invoiceId }}
          asks={{ object: `invoice ${number}`, name, amount, currency }}
          isDanger
        />
      )}
    </>
  )
}
