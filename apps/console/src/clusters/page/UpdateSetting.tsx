import { clusterUpdate, clusterUpdatePutOff } from '@atoll/contract/rollouts'
import { serverNow } from '../../config/runtime-config.ts'
import { useCall } from '../../data/use-call.ts'
import { useCallMutation } from '../../data/use-call-mutation.ts'
import { formatDayAndTimeWithin } from '../../kit/format/times.ts'
import { refusedButton } from '../../kit/menu/refused-button.ts'
import { ChangeButton } from '../../kit/page/ChangeButton.tsx'
import { SettingRow } from '../../kit/page/SettingRow.tsx'
import { useLocale, useText } from '../../locales/text.ts'

/** The update that comes to a cluster, and putting it off; nothing where none comes. */
export function UpdateSetting({ clusterId }: { clusterId: string }) {
  const t = useText()
  const locale = useLocale()
  const { data } = useCall(clusterUpdate, { clusterId })
  const putOff = useCallMutation(clusterUpdatePutOff, { toast: true })
  if (!data?.update) return null
  const { version, notBefore, left } = data.update
  const when = notBefore !== null && formatDayAndTimeWithin(notBefore, serverNow(), locale)
  const refusal = left <= 0 ? t('detail.updateNoMore') : undefined
  return (
    <SettingRow
      title={t('detail.updateTitle', { version })}
      text={when ? t('detail.updateFrom', { at: when }) : t('detail.updateSoon')}
    >
      <ChangeButton
        size="xs"
        {...refusedButton(refusal)}
        loading={putOff.isPending}
        onClick={refusal === undefined ? () => putOff.mutate({ clusterId }) : undefined}
      >
        {t('detail.updatePutOff')}
      </ChangeButton>
    </SettingRow>
  )
}
