import type { CustomerDetail } from '@atoll/contract/staff'
import { Button } from '@mantine/core'
import { IconArrowBackUp, IconBan } from '@tabler/icons-react'
import { useState } from 'react'
import { refusedButton } from '../../kit/menu/refused-button.ts'
import { useText } from '../../locales/text.ts'
import { useOperatorsOnly } from '../approve/use-operators-only.ts'
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
  const operatorsOnly = useOperatorsOnly()
  const [opened, setOpened] = useState<'money' | 'suspend'>()
  const close = () => {
    setOpened(undefined)
    onChanged()
  }
  const isHeld = customer.holds.some(({ clusterId }) => clusterId === null)
  const noSuspend = operatorsOnly ?? (isHeld ? t('operator.heldAlready') : undefined)
  return (
    <>
      <Button
        {...refusedButton(operatorsOnly)}
        leftSection={<IconArrowBackUp size={16} stroke={1.6} aria-hidden="true" />}
        onClick={operatorsOnly === undefined ? () => setOpened('money') : undefined}
      >
        {t('operator.creditOrRefund')}
      </Button>
      <Button
        {...refusedButton(noSuspend)}
        variant="dangerOutline"
        leftSection={<IconBan size={16} stroke={1.6} aria-hidden="true" />}
        onClick={noSuspend === undefined ? () => setOpened('suspend') : undefined}
      >
        {t('operator.suspend')}
      </Button>
      <MoreActs customer={customer} onChanged={onChanged} />
      {opened === 'money' && <MoneyDialog customer={customer} onClose={close} />}
      {opened === 'suspend' && <SuspendDialog customer={customer} onClose={close} />}
    </>
  )
}
