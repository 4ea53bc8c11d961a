import { abuseReport } from '@atoll/contract/staff'
import { Textarea, TextInput } from '@mantine/core'
import { useState } from 'react'
import { UtcTimeInput } from '../../kit/form/UtcTimeInput.tsx'
import { useCallForm } from '../../kit/form/use-call-form.ts'
import { utcTime } from '../../kit/form/utc-time.ts'
import { useText } from '../../locales/text.ts'
import { CallDialog } from '../approve/CallDialog.tsx'

/** Writes down what somebody reports: what, when it was seen, by whom. */
export function ReportDialog({ onClose, onDone }: { onClose: () => void; onDone: () => void }) {
  const t = useText()
  const [openedAt] = useState(() => new Date().toISOString().slice(0, 16))
  const [seen, setSeen] = useState(openedAt)
  const form = useCallForm(abuseReport, {
    values: { what: '', reporter: '', text: '' },
    rest: { seenAt: utcTime(seen) },
  })
  return (
    <CallDialog
      title={t('operator.abuseWrite')}
      act={t('operator.abuseKeep')}
      form={form}
      onDone={onDone}
      onClose={onClose}
    >
      <TextInput {...form.field('what')} label={t('operator.abuseHost')} data-autofocus maxLength={500} />
      <UtcTimeInput label={t('operator.abuseSeenAt')} value={seen} onChange={setSeen} />
      <TextInput {...form.field('reporter')} label={t('operator.abuseReporter')} maxLength={200} />
      <Textarea {...form.field('text')} label={t('operator.abuseText')} maxLength={4000} autosize minRows={3} />
    </CallDialog>
  )
}
