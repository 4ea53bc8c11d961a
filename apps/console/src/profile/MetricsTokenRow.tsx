import {
  metricsTokenMake,
  metricsTokenRevoke,
  metricsTokenShow,
  openMetricsEverySeconds,
} from '@atoll/contract/observe'
import { Facts } from '@atoll/ui'
import { Skeleton } from '@mantine/core'
import { useState } from 'react'
import { serverNow } from '../config/runtime-config.ts'
import { showToast } from '../data/show-toast.ts'
import { useCall } from '../data/use-call.ts'
import { useCallMutation } from '../data/use-call-mutation.ts'
import { confirm } from '../kit/confirm/confirm.ts'
import { formatAgo, formatTime } from '../kit/format/times.ts'
import { ChangeButton } from '../kit/page/ChangeButton.tsx'
import { CopyValue } from '../kit/page/CopyValue.tsx'
import { LoadFailure } from '../kit/page/LoadFailure.tsx'
import { SettingRow } from '../kit/page/SettingRow.tsx'
import { useLocale, useText } from '../locales/text.ts'
import classes from './ProfilePage.module.css'

/** The token by which the person's own Prometheus reads measurements: made, shown once, revoked. */
export function MetricsTokenRow() {
  const t = useText()
  const locale = useLocale()
  const { data, error, refetch } = useCall(metricsTokenShow, {})
  const [made, setMade] = useState<{ token: string; url: string }>()
  const make = useCallMutation(metricsTokenMake, { toast: true, onSuccess: setMade })
  if (!data && error)
    return (
      <div className={classes.failure}>
        <LoadFailure title={t('metricsToken.errorTitle')} error={error} onRetry={refetch} />
      </div>
    )
  if (!data) return <SettingRow title={t('metricsToken.title')} text={<Skeleton height={12} my={3} width={200} />} />
  const { token } = data
  const now = serverNow()
  const replace = () =>
    confirm({
      title: t('metricsToken.replaceTitle'),
      lost: [t('metricsToken.replaceText')],
      keep: t('metricsToken.keep'),
      act: t('metricsToken.replace'),
      run: { call: metricsTokenMake, body: {}, onSuccess: setMade },
    })
  const revoke = () =>
    confirm({
      title: t('metricsToken.revokeTitle'),
      lost: [t('metricsToken.revokeText')],
      keep: t('metricsToken.keep'),
      act: t('metricsToken.revoke'),
      danger: true,
      run: {
        call: metricsTokenRevoke,
        body: {},
        onSuccess() {
          setMade(undefined)
          showToast({ kind: 'success', text: t('metricsToken.revoked') })
        },
      },
    })
  return (
    <div>
      <SettingRow
        title={t('metricsToken.title')}
        text={
          token ? (
            <Facts>
              {t('metricsToken.made', { time: formatTime(token.createdAt, now, locale) })}
              {token.usedAt
                ? t('metricsToken.used', { ago: formatAgo(token.usedAt, now, locale) })
                : t('metricsToken.unused')}
            </Facts>
          ) : (
            t('metricsToken.help')
          )
        }
      >
        <ChangeButton size="xs" loading={make.isPending} onClick={token ? replace : () => make.mutate({})}>
          {t(token ? 'metricsToken.replace' : 'metricsToken.make')}
        </ChangeButton>
        {token && (
          <ChangeButton size="xs" variant="dangerOutline" onClick={revoke}>
            {t('metricsToken.revoke')}
          </ChangeButton>
        )}
      </SettingRow>
      {made && token && (
        <div className={classes.form} role="status">
          <p className={classes.secret}>{t('metricsToken.once', { seconds: openMetricsEverySeconds })}</p>
          <p className={classes.secret}>
            <code>{made.url}</code>
            <CopyValue value={made.url} what={t('metricsToken.address')} />
          </p>
          <p className={classes.secret}>
            <code>{made.token}</code>
            <CopyValue value={made.token} what={t('metricsToken.title')} />
          </p>
        </div>
      )}
    </div>
  )
}
