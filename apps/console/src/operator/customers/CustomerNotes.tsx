import { type CustomerDetail, customerNote } from '@atoll/contract/staff'
import { displayName } from '@atoll/contract/wire'
import { Button, Textarea } from '@mantine/core'
import { Panel } from '../../billing/shared/Panel.tsx'
import { useCallForm } from '../../kit/form/use-call-form.ts'
import { formatDayAndTimeWithin } from '../../kit/format/times.ts'
import { FailureNotice } from '../../kit/page/FailureNotice.tsx'
import { useLocale, useText } from '../../locales/text.ts'
import classes from './Customers.module.css'

interface CustomerNotesProps {
  customer: CustomerDetail
  onWritten: () => void
}

/** The notes of staff about a customer, with a field for another. */
export function CustomerNotes({ customer, onWritten }: CustomerNotesProps) {
  const t = useText()
  const locale = useLocale()
  const note = useCallForm(customerNote, { rest: { accountId: customer.person.accountId }, values: { text: '' } })
  const written = () => {
    note.form.reset()
    onWritten()
  }
  return (
    <Panel title={t('operator.notes')} note={t('operator.staffOnly')}>
      <div className={classes.notes}>
        {customer.notes.map(({ number, text, by, at }) => (
          <div key={number}>
            <p>{text}</p>
            <span className="small quiet">
              {t('operator.noteBy', { name: displayName(by), at: formatDayAndTimeWithin(at, Date.now(), locale) })}
            </span>
          </div>
        ))}
        <form onSubmit={note.submit(written)} noValidate>
          <Textarea
            {...note.field('text')}
            aria-label={t('operator.noteAdd')}
            placeholder={t('operator.noteAdd')}
            maxLength={2000}
            autosize
            minRows={2}
          />
          <FailureNotice error={note.error} />
          <Button type="submit" mt={8} loading={note.isPending}>
            {t('operator.noteWrite')}
          </Button>
        </form>
      </div>
    </Panel>
  )
}
