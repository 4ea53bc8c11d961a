import '@mantine/core/styles/SegmentedControl.layer.css'
import { type DeploymentMoney, paymentOutcomes, paymentResolve } from '@atoll/contract/staff'
import { displayName } from '@atoll/contract/wire'
import { SegmentedControl, TextInput } from '@mantine/core'
import { useState } from 'react'
import { useText } from '../../locales/text.ts'
import { ActDialog } from '../approve/ActDialog.tsx'

interface ResolveDialogProps {
  payment: DeploymentMoney['unknown'][number]
  currency: 'usd' | 'cny'
  onClose: () => void
}

const outcomeWords = { charged: 'operator.charged', notCharged: 'operator.notCharged' } as const

/** Ends a payment by what was seen at the gateway. */
export function ResolveDialog({ payment, currency, onClose }: ResolveDialogProps) {
  const t = useText()
  const [outcome, setOutcome] = useState<(typeof paymentOutcomes)[number]>('notCharged')
  const [ref, setRef] = useState(payment.ref ?? '')
  const { paymentId, person, amount, number } = payment
  const isCharged = outcome === 'charged'
  return (
    <ActDialog
      onClose={onClose}
      title={t('operator.resolveTitle', { number })}
      lead={t('operator.resolveText')}
      act="resolve"
      call={paymentResolve}
      fields={{ paymentId, outcome, ...(isCharged && ref.trim() !== '' && { ref: ref.trim() }) }}
      asks={{ object: `${outcome} ${paymentId}`, name: displayName(person), amount, currency }}
    >
      {(problems) => (
        <>
          <SegmentedControl
            aria-label={t('operator.outcome')}
            value={outcome}
            onChange={(value) => setOutcome(paymentOutcomes.find((each) => each === value) ?? 'notCharged')}
            data={paymentOutcomes.map((value) => ({ value, label: t(outcomeWords[value]) }))}
          />
          {isCharged && (
            <TextInput
              label={t('operator.gatewayRef')}
              error={problems['ref']}
              value={ref}
              autoComplete="off"
              spellCheck={false}
              onChange={(event) => setRef(event.currentTarget.value)}
            />
          )}
        </>
      )}
    </ActDialog>
  )
}
