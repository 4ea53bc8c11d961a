import { type AbuseReport, abuseClose, abuseOutcomes, abuseOutcomeWords } from '@atoll/contract/staff'
import { Button, NativeSelect, Textarea } from '@mantine/core'
import dialog from '../../kit/dialog/Dialog.module.css'
import { DialogFooter } from '../../kit/dialog/DialogFooter.tsx'
import { FormDialog } from '../../kit/dialog/FormDialog.tsx'
import { useCallForm } from '../../kit/form/use-call-form.ts'
import { useLocale, useText } from '../../locales/text.ts'
import classes from '../approve/ActDialog.module.css'

interface CloseReportDialogProps {
  report: AbuseReport
  onClose: () => void
  onDone: () => void
}

/** The outcome of a report; suspending is done on the customer's page before. */
export function CloseReportDialog({ report, onClose, onDone }: CloseReportDialogProps) {
  const t = useText()
  const locale = useLocale()
  const form = useCallForm(abuseClose, {
    values: { outcome: report.person ? 'suspended' : 'notOurs', text: '' },
    rest: { reportId: report.reportId },
  })
  return (
    <FormDialog opened onClose={onClose} title={t('operator.abuseCloseOf', { what: report.what })}>
      <form onSubmit={form.submit(onDone)} noValidate>
        <p className={dialog.text}>{report.text}</p>
        <div className={classes.fields}>
          <NativeSelect
            {...form.field('outcome')}
            label={t('operator.abuseOutcome')}
            data={abuseOutcomes.map((value) => ({ value, label: abuseOutcomeWords[value][locale] }))}
          />
          <Textarea {...form.field('text')} label={t('operator.abuseWhy')} data-autofocus maxLength={2000} autosize />
        </div>
        <DialogFooter error={form.error}>
          <Button onClick={onClose}>{t('operator.cancel')}</Button>
          <Button type="submit" variant="filled" loading={form.isPending}>
            {t('operator.abuseClose')}
          </Button>
        </DialogFooter>
      </form>
    </FormDialog>
  )
}
