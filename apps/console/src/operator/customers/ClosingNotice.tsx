import { type CustomerDetail, customerErase, customerKeep } from '@atoll/contract/staff'
import { displayName } from '@atoll/contract/wire'
import { Notice } from '@atoll/ui'
import { Button } from '@mantine/core'
import { useState } from 'react'
import { formatDeadline } from '../../kit/format/deadlines.ts'
import { refusedButton } from '../../kit/menu/refused-button.ts'
import { useLocale, useText } from '../../locales/text.ts'
import { ActDialog } from '../approve/ActDialog.tsx'
import { useOperatorsOnly } from '../approve/use-operators-only.ts'
import classes from './Customers.module.css'

interface ClosingProps {
  customer: CustomerDetail
  onChanged: () => void
}

/** That an account closes, and keeping it. */
export function ClosingNotice({ customer, onChanged }: ClosingProps) {
  const t = useText()
  const locale = useLocale()
  const operatorsOnly = useOperatorsOnly()
  const [opened, setOpened] = useState(false)
  const { accountId } = customer.person
  const id = displayName(customer.person)
  if (customer.closesAt === null) return null
  return (
    <div className={classes.look}>
      <Notice
        tone="coral"
        title={t('operator.closesOn', { at: formatDeadline(customer.closesAt, Date.now(), locale) })}
        action={
          <Button
            size="xs"
            {...refusedButton(operatorsOnly)}
            onClick={operatorsOnly === undefined ? () => setOpened(true) : undefined}
          >
            {t('operator.keepAccount')}
          </Button>
        }
      >
        {t('operator.closesText')}
      </Notice>
      {opened && (
        <ActDialog
          opened
          onClose={() => {
            setOpened(false)
            onChanged()
          }}
          title={t('operator.keepTitle', { id })}
          lead={t('operator.keepText')}
          act="keep"
          call={customerKeep}
          fields={{ accountId }}
          asks={{ object: accountId, name: id }}
          keep={t('operator.letClose')}
        />
      )}
    </div>
  )
}

/** Closes an account whose owner asked for it by mail. */
export function EraseDialog({ customer, onClose }: { customer: CustomerDetail; onClose: () => void }) {
  const t = useText()
  const { accountId } = customer.person
  const id = displayName(customer.person)
  return (
    <ActDialog
      opened
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
