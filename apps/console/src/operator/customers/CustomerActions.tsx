import type { CustomerDetail } from '@atoll/contract/staff'
import { IconArrowBackUp, IconBan } from '@tabler/icons-react'
import { useState } from 'react'
import { useText } from '../../locales/text.ts'
import { OperatorButton } from '../parts/OperatorButton.tsx'
import { MoneyDialog } from './MoneyDialog.tsx'
import { MoreActs } from './MoreActs.tsx'
import { SuspendDialog } from './SuspendDialog.tsx'

interface CustomerActionsProps {
  customer: CustomerDetail
  onChanged: () => void
}

/** The acts of an operator on a customer. */
export function CustomerActions({ customer, onChanged }: CustomerActionsProps) {
  const t = useText()
  const [opened, setOpened] = useState<'money' | 'suspend'>()
  const close = () => {
    setOpened(undefined)
    onChanged()
  }
  const isHeld = customer.holds.some(({ clusterId }) => clusterId === null)
  return (
    <>
      <OperatorButton
        leftSection={<IconArrowBackUp size={16} stroke={1.6} aria-hidden="true" />}
        onClick={() => setOpened('money')}
      >
        {t('operator.creditOrRefund')}
      </OperatorButton>
      <OperatorButton
        refusal={isHeld ? t('operator.heldAlready') : undefined}
        variant="dangerOutline"
        leftSection={<IconBan size={16} stroke={1.6} aria-hidden="true" />}
        onClick={() => setOpened('suspend')}
      >
        {t('operator.suspend')}
      </OperatorButton>
      <MoreActs customer={customer} onChanged={onChanged} />
      {opened === 'money' && <MoneyDialog customer={customer} onClose={close} />}
      {opened === 'suspend' && <SuspendDialog customer={customer} onClose={close} />}
    </>
  )
}
