import { accountExportsPath, userExport, userExportAsk } from '@atoll/contract/accounts'
import { Facts } from '@atoll/ui'
import { formatBytes } from '@atoll/ui/i18n'
import { useMutation } from '@tanstack/react-query'
import { serverNow } from '../config/runtime-config.ts'
import { showFailure } from '../data/show-toast.ts'
import { useCall } from '../data/use-call.ts'
import { useCallMutation } from '../data/use-call-mutation.ts'
import { Deadline } from '../kit/figures/Deadline.tsx'
import { downloadFile } from '../kit/files/download-file.ts'
import { formatDeadline } from '../kit/format/deadlines.ts'
import { formatDayAndTimeWithin } from '../kit/format/times.ts'
import { ChangeButton } from '../kit/page/ChangeButton.tsx'
import { LoadFailure } from '../kit/page/LoadFailure.tsx'
import { SettingRow } from '../kit/page/SettingRow.tsx'
import { useLocale, useText } from '../locales/text.ts'
import classes from './ProfilePage.module.css'

/** All data about the account in one archive: asked for, being made, ready for seven days. */
export function ExportRow() {
  const t = useText()
  const locale = useLocale()
  const { data, error, refetch } = useCall(userExport, {})
  const ask = useCallMutation(userExportAsk, { toast: true })
  const save = useMutation({
    mutationFn: (id: string) =>
      downloadFile({ path: `${accountExportsPath}/${id}.zip`, type: 'application/zip', name: `${id}.zip` }),
    onError: showFailure,
  })
  if (!data && error)
    return (
      <div className={classes.failure}>
        <LoadFailure title={t('dataExport.error')} error={error} onRetry={refetch} />
      </div>
    )
  const made = data?.export
  const now = serverNow()
  const at = (time: string) => formatDayAndTimeWithin(time, now, locale)
  const text = () => {
    if (made?.state === 'making') return t('dataExport.making')
    if (made?.state === 'failed') return t('dataExport.failed', { at: at(made.askedAt) })
    if (made?.state !== 'ready' || made.size === null || made.until === null) return t('dataExport.help')
    return (
      <Facts>
        {t('dataExport.ready', { at: at(made.askedAt), size: formatBytes(made.size, locale) })}
        <Deadline at={made.until} now={now}>
          {t('dataExport.until', { at: formatDeadline(made.until, now, locale) })}
        </Deadline>
      </Facts>
    )
  }
  return (
    <SettingRow title={t('dataExport.title')} text={text()}>
      {made?.state === 'ready' && (
        <ChangeButton size="xs" loading={save.isPending} onClick={() => save.mutate(made.exportId)}>
          {t('dataExport.download')}
        </ChangeButton>
      )}
      <ChangeButton
        size="xs"
        loading={ask.isPending}
        disabled={!data || made?.state === 'making'}
        onClick={() => ask.mutate({})}
      >
        {t(made?.state === 'making' ? 'dataExport.beingMade' : 'dataExport.ask')}
      </ChangeButton>
    </SettingRow>
  )
}
