import { type CustomerInfo, timeTravel } from '@atoll/contract/billing'
import { Notice } from '@atoll/ui'
import { confirm } from '../../kit/confirm/confirm.ts'
import { ChangeButton } from '../../kit/page/ChangeButton.tsx'
import { useText } from '../../locales/text.ts'

/** Where the clock was sent and is not yet: on its way, or stopped before a cluster would be destroyed. */
export function ClockCourse({ to, stoppedBefore }: NonNullable<CustomerInfo['travel']>) {
  const t = useText()
  const [first] = stoppedBefore
  if (!first) return <Notice role="status" title={t('billing.onItsWay')} />
  const names = stoppedBefore.map(({ name }) => name).join(t('billing.comma'))
  const ask = () =>
    confirm({
      title: t('billing.goOnTitle'),
      lost: [t('billing.goOnText', { names })],
      typed: first.name,
      keep: t('billing.goOnKeep'),
      act: t('billing.goOnDo'),
      danger: true,
      run: { call: timeTravel, body: { to, destroy: stoppedBefore.map(({ clusterId }) => clusterId) } },
    })
  return (
    <Notice
      tone="amber"
      role="status"
      title={t('billing.stopped', { names })}
      action={
        <ChangeButton size="xs" variant="dangerOutline" onClick={ask}>
          {t('billing.goOn')}
        </ChangeButton>
      }
    >
      {t('billing.stoppedHelp')}
    </Notice>
  )
}
