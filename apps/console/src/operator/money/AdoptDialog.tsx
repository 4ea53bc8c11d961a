import '@mantine/core/styles/SegmentedControl.layer.css'
import { captureAdopt, captureWays, type DeploymentMoney } from '@atoll/contract/staff'
import { displayName } from '@atoll/contract/wire'
import { SegmentedControl, TextInput } from '@mantine/core'
import { useState } from 'react'
import { useText } from '../../locales/text.ts'
import { ActDialog } from '../approve/ActDialog.tsx'

interface AdoptDialogProps {
  capture: DeploymentMoney['captures'][number]
  currency: 'usd' | 'cny'
  onClose: () => void
}

const wayWords = { credit: 'operator.adoptCredit', back: 'operator.adoptBack' } as const

/** Takes over a charge without a document; its customer has to be named if the card is of no known one. */
export function AdoptDialog({ capture, currency, onClose }: AdoptDialogProps) {
  const t = useText()
  const [way, setWay] = useState<(typeof captureWays)[number]>('credit')
  const [accountId, setAccountId] = useState(capture.person?.accountId ?? '')
  const { ref, person, amount } = capture
  return (
    <ActDialog
      onClose={onClose}
      title={t('operator.adoptTitle', { ref })}
      lead={t('operator.adoptText')}
      act="adopt"
      call={captureAdopt}
      fields={{ ref, way, accountId: accountId.trim() }}
      asks={{ object: `${way} ${ref}`, name: person ? displayName(person) : accountId.trim(), amount, currency }}
    >
      {(problems) => (
        <>
          <SegmentedControl
            aria-label={t('operator.way')}
            value={way}
            onChange={(value) => setWay(captureWays.find((each) => each === value) ?? 'credit')}
            data={captureWays.map((value) => ({ value, label: t(wayWords[value]) }))}
          />
          {!person && (
            <TextInput
              label={t('operator.accountId')}
              description={problems['accountId'] ? undefined : t('operator.accountIdHelp')}
              error={problems['accountId']}
              value={accountId}
              autoComplete="off"
              spellCheck={false}
              onChange={(event) => setAccountId(event.currentTarget.value)}
            />
          )}
        </>
      )}
    </ActDialog>
  )
}
