import { announcementKinds, announcementWrite, statusComponents, statusStates } from '@atoll/contract/announcements'
import type { CallData, Locale } from '@atoll/contract/wire'
import { announcedTexts } from '@atoll/texts/announced'
import { Checkbox, NativeSelect, Textarea, TextInput } from '@mantine/core'
import { useState } from 'react'
import { UtcTimeInput } from '../../kit/form/UtcTimeInput.tsx'
import { useCallForm } from '../../kit/form/use-call-form.ts'
import { utcTime } from '../../kit/form/utc-time.ts'
import { useLocale, useText } from '../../locales/text.ts'
import classes from '../approve/ActDialog.module.css'
import { CallDialog } from '../approve/CallDialog.tsx'

interface AnnounceDialogProps {
  regions: readonly { region: string; title: Record<Locale, string> }[]
  onClose: () => void
  onWritten: (answer: CallData<typeof announcementWrite>) => void
}

/**
 * A maintenance window or an incident: its text in both languages, where, when, and whether affected customers get a
 * mail.
 */
export function AnnounceDialog({ regions, onClose, onWritten }: AnnounceDialogProps) {
  const t = useText()
  const locale = useLocale()
  const [from, setFrom] = useState('')
  const [until, setUntil] = useState('')
  const [components, setComponents] = useState<string[]>(['clusters'])
  const [where, setWhere] = useState<string[]>([])
  const [byMail, setByMail] = useState(true)
  const form = useCallForm(announcementWrite, {
    values: { kind: 'maintenance', impact: 'limited', titleEn: '', titleZh: '', textEn: '', textZh: '' },
    rest: { components, regions: where, byMail, startsAt: utcTime(from), endsAt: utcTime(until) },
  })
  const toggled = (list: readonly string[], one: string) =>
    list.includes(one) ? list.filter((each) => each !== one) : [...list, one]
  return (
    <CallDialog
      title={t('operator.announceTitle')}
      size={640}
      act={t('operator.announce')}
      form={form}
      onDone={onWritten}
      onClose={onClose}
    >
      <NativeSelect
        {...form.field('kind')}
        label={t('operator.announceKind')}
        data={announcementKinds.map((value) => ({ value, label: announcedTexts[locale].kinds[value] }))}
      />
      <NativeSelect
        {...form.field('impact')}
        label={t('operator.announceImpact')}
        data={statusStates.map((value) => ({ value, label: announcedTexts[locale].states[value] }))}
      />
      <TextInput {...form.field('titleEn')} label={t('operator.announceTitleEn')} data-autofocus maxLength={120} />
      <Textarea {...form.field('textEn')} label={t('operator.announceTextEn')} maxLength={2000} autosize minRows={2} />
      <TextInput {...form.field('titleZh')} label={t('operator.announceTitleZh')} maxLength={120} />
      <Textarea {...form.field('textZh')} label={t('operator.announceTextZh')} maxLength={2000} autosize minRows={2} />
      <fieldset className={classes.ticks}>
        <legend>{t('operator.announceParts')}</legend>
        {statusComponents.map((one) => (
          <Checkbox
            key={one}
            label={announcedTexts[locale].components[one]}
            checked={components.includes(one)}
            onChange={() => setComponents(toggled(components, one))}
          />
        ))}
      </fieldset>
      <fieldset className={classes.ticks}>
        <legend>{t('operator.announceRegions')}</legend>
        {regions.map(({ region, title }) => (
          <Checkbox
            key={region}
            label={title[locale]}
            checked={where.includes(region)}
            onChange={() => setWhere(toggled(where, region))}
          />
        ))}
      </fieldset>
      <UtcTimeInput label={t('operator.announceFrom')} value={from} onChange={setFrom} />
      <UtcTimeInput label={t('operator.announceUntil')} value={until} onChange={setUntil} />
      <Checkbox
        label={t('operator.announceByMail')}
        checked={byMail}
        onChange={(event) => setByMail(event.currentTarget.checked)}
      />
    </CallDialog>
  )
}
