import '@mantine/core/styles/SegmentedControl.layer.css'
import { holdReasons, holdScopes } from '@atoll/contract/accounts'
import { type CustomerDetail, customerSuspend, suspendedObject } from '@atoll/contract/staff'
import { displayName } from '@atoll/contract/wire'
import { NativeSelect, SegmentedControl, Textarea } from '@mantine/core'
import { useState } from 'react'
import { serverNow } from '../../config/runtime-config.ts'
import { useText } from '../../locales/text.ts'
import { ActDialog } from '../approve/ActDialog.tsx'
import { holdWords } from './hold-words.ts'

interface SuspendDialogProps {
  customer: CustomerDetail
  onClose: () => void
}

const dayMs = 24 * 60 * 60_000
const answerDays = [3, 7, 14, 30] as const

/** Suspends an account, or one cluster of it: how far, why, and what its owner reads. */
export function SuspendDialog({ customer, onClose }: SuspendDialogProps) {
  const t = useText()
  const [openedAt] = useState(serverNow)
  const [clusterId, setCluster] = useState('')
  const [scope, setScope] = useState<(typeof holdScopes)[number]>('servers')
  const [why, setWhy] = useState<(typeof holdReasons)[number]>('disputed')
  const [days, setDays] = useState<number>(14)
  const [text, setText] = useState('')
  const id = displayName(customer.person)
  const stopped = customer.clusterList.filter(
    (each) => each.clusterType === 'Cloud' && (clusterId || each.clusterId) === each.clusterId,
  )
  return (
    <ActDialog
      onClose={onClose}
      title={t('operator.suspendTitle', { id })}
      lead={
        scope === 'servers' ? t('operator.suspendServers', { count: stopped.length }) : t('operator.suspendVisitors')
      }
      act="suspend"
      call={customerSuspend}
      fields={{
        accountId: customer.person.accountId,
        scope,
        why,
        text: text.trim(),
        ...(clusterId && { clusterId }),
        answerBy: new Date(openedAt + days * dayMs).toISOString(),
      }}
      asks={{ object: suspendedObject({ scope, clusterId }), name: id }}
      keep={t('operator.suspendKeep')}
      isDanger
    >
      {(problems) => (
        <>
          <SegmentedControl
            aria-label={t('operator.scope')}
            value={scope}
            onChange={(value) => setScope(holdScopes.find((each) => each === value) ?? 'servers')}
            data={holdScopes.map((value) => ({ value, label: t(holdWords.scopes[value]) }))}
          />
          <NativeSelect
            label={t('operator.range')}
            value={clusterId}
            onChange={(event) => setCluster(event.currentTarget.value)}
            data={[
              { value: '', label: t('operator.wholeAccount') },
              ...customer.clusterList.map((each) => ({ value: each.clusterId, label: each.name })),
            ]}
          />
          <NativeSelect
            label={t('operator.kind')}
            value={why}
            onChange={(event) => setWhy(holdReasons.find((each) => each === event.currentTarget.value) ?? 'disputed')}
            data={holdReasons.map((value) => ({ value, label: t(holdWords.reasons[value]) }))}
          />
          <NativeSelect
            label={t('operator.answerBy')}
            value={String(days)}
            onChange={(event) => setDays(Number(event.currentTarget.value))}
            data={answerDays.map((count) => ({ value: String(count), label: t('operator.days', { count }) }))}
          />
          <Textarea
            label={t('operator.customerReads')}
            error={problems['text']}
            value={text}
            maxLength={1000}
            autosize
            minRows={3}
            onChange={(event) => setText(event.currentTarget.value)}
          />
        </>
      )}
    </ActDialog>
  )
}
