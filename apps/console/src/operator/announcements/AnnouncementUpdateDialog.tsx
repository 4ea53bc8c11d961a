import { announcementUpdate, type StaffAnnouncement } from '@atoll/contract/announcements'
import { Button, Textarea } from '@mantine/core'
import { DialogFooter } from '../../kit/dialog/DialogFooter.tsx'
import { FormDialog } from '../../kit/dialog/FormDialog.tsx'
import { useCallForm } from '../../kit/form/use-call-form.ts'
import { useLocale, useText } from '../../locales/text.ts'
import classes from '../approve/ActDialog.module.css'

interface AnnouncementUpdateDialogProps {
  announcement: StaffAnnouncement
  ends: boolean
  onClose: () => void
  onWritten: () => void
}

/** Says more about an announcement, or that it is over. */
export function AnnouncementUpdateDialog({ announcement, ends, onClose, onWritten }: AnnouncementUpdateDialogProps) {
  const t = useText()
  const locale = useLocale()
  const title = announcement.title[locale]
  const form = useCallForm(announcementUpdate, {
    values: { textEn: '', textZh: '' },
    rest: { announcementId: announcement.announcementId, ends },
  })
  return (
    <FormDialog
      opened
      onClose={onClose}
      title={t(ends ? 'operator.announceEndTitle' : 'operator.announceMoreTitle', { title })}
    >
      <form onSubmit={form.submit(onWritten)} noValidate>
        <div className={classes.fields}>
          <Textarea
            {...form.field('textEn')}
            label={t('operator.announceTextEn')}
            data-autofocus
            maxLength={2000}
            autosize
            minRows={2}
          />
          <Textarea
            {...form.field('textZh')}
            label={t('operator.announceTextZh')}
            maxLength={2000}
            autosize
            minRows={2}
          />
        </div>
        <DialogFooter error={form.error}>
          <Button onClick={onClose}>{t('operator.cancel')}</Button>
          <Button type="submit" variant="filled" loading={form.isPending}>
            {t(ends ? 'operator.announceEnd' : 'operator.announceMore')}
          </Button>
        </DialogFooter>
      </form>
    </FormDialog>
  )
}
