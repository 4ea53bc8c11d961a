import { abuseReport } from '@atoll/contract/staff'
import { Button, Textarea, TextInput } from '@mantine/core'
import { useState } from 'react'
import { DialogFooter } from '../../kit/dialog/DialogFooter.tsx'
import { FormDialog } from '../../kit/dialog/FormDialog.tsx'
import { UtcTimeInput } from '../../kit/form/UtcTimeInput.tsx'
import { useCallForm } from '../../kit/form/use-call-form.ts'
import { utcTime } from '../../kit/form/utc-time.ts'
import { useText } from '../../locales/text.ts'
import classes from '../approve/ActDialog.module.css'

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
    <FormDialog opened onClose={onClose} title={t('operator.abuseWrite')}>
      <form onSubmit={form.submit(onDone)} noValidate>
        <div className={classes.fields}>
          <TextInput {...form.field('what')} label={t('operator.abuseHost')} data-autofocus maxLength={500} />
          <UtcTimeInput label={t('operator.abuseSeenAt')} value={seen} onChange={setSeen} />
          <TextInput {...form.field('reporter')} label={t('operator.abuseReporter')} maxLength={200} />
          <Textarea {...form.field('text')} label={t('operator.abuseText')} maxLength={4000} autosize minRows={3} />
        </div>
        <DialogFooter error={form.error}>
          <Button onClick={onClose}>{t('operator.cancel')}</Button>
          <Button type="submit" variant="filled" loading={form.isPending}>
            {t('operator.abuseKeep')}
          </Button>
        </DialogFooter>
      </form>
    </FormDialog>
  )
}
