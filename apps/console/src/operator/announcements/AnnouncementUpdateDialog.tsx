import { announcementUpdate, type StaffAnnouncement } from '@atoll/contract/announcements'
import { Textarea } from '@mantine/core'
import { useCallForm } from '../../kit/form/use-call-form.ts'
import { useLocale, useText } from '../../locales/text.ts'
import { CallDialog } from '../approve/CallDialog.tsx'

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
    <CallDialog
      title={t(ends ? 'operator.announceEndTitle' : 'operator.announceMoreTitle', { title })}
      act={t(ends ? 'operator.announceEnd' : 'operator.announceMore')}
      form={form}
      onDone={onWritten}
      onClose={onClose}
    >
      <Textarea
        {...form.field('textEn')}
        label={t('operator.announceTextEn')}
        data-autofocus
        maxLength={2000}
        autosize
        minRows={2}
      />
      <Textarea {...form.field('textZh')} label={t('operator.announceTextZh')} maxLength={2000} autosize minRows={2} />
    </CallDialog>
  )
}
