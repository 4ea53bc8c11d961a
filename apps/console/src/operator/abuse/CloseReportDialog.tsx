import { type AbuseReport, abuseClose, abuseOutcomes } from '@atoll/contract/staff'
import { NativeSelect, Textarea } from '@mantine/core'
import { useCallForm } from '../../kit/form/use-call-form.ts'
import { useText } from '../../locales/text.ts'
import { CallDialog } from '../approve/CallDialog.tsx'

interface CloseReportDialogProps {
  report: AbuseReport
  onClose: () => void
  onDone: () => void
}

/** The outcome of a report; suspending is done on the customer's page before. */
export function CloseReportDialog({ report, onClose, onDone }: CloseReportDialogProps) {
  const t = useText()
  const form = useCallForm(abuseClose, {
    values: { outcome: report.person ? 'suspended' : 'notOurs', text: '' },
    rest: { reportId: report.reportId },
  })
  return (
    <CallDialog
      title={t('operator.abuseCloseOf', { what: report.what })}
      lead={report.text}
      act={t('operator.abuseClose')}
      form={form}
      onDone={onDone}
      onClose={onClose}
    >
      <NativeSelect
        {...form.field('outcome')}
        label={t('operator.abuseOutcome')}
        data={abuseOutcomes.map((value) => ({ value, label: t(`operator.abuseOutcomes.${value}`) }))}
      />
      <Textarea {...form.field('text')} label={t('operator.abuseWhy')} data-autofocus maxLength={2000} autosize />
    </CallDialog>
  )
}
