import { clusterPasswordReset, type Resource } from '@atoll/contract/clusters'
import { wizardLink } from '@atoll/contract/wizard-link'
import { Button } from '@mantine/core'
import { IconArrowUpRight } from '@tabler/icons-react'
import { useState } from 'react'
import { useChangeRefusal } from '../../../kit/browser/use-change-refusal.ts'
import { confirm } from '../../../kit/confirm/confirm.ts'
import { refusedButton } from '../../../kit/menu/refused-button.ts'
import { SettingRow } from '../../../kit/page/SettingRow.tsx'
import { useText } from '../../../locales/text.ts'
import { WaitingLine } from '../../self-host/WaitingLine.tsx'
import { OneTimePassword } from './OneTimePassword.tsx'

interface PasswordRowProps {
  cluster: Resource
  /** The one-time password that sets a new one; undefined: none was asked for. */
  password: string | undefined
}

/** The owner's password of an active cluster: reset with a one-time password, which the wizard then takes. */
export function PasswordRow({ cluster, password }: PasswordRowProps) {
  const t = useText()
  const { clusterId, name } = cluster
  // The wizard is reached even while a domain of one's own is not.
  const url = cluster.secondUrl ?? cluster.url
  const refused = useChangeRefusal()
  const [asked, setAsked] = useState(false)
  const waits = asked && password === undefined
  // It has come, maybe before the call that asked for it ended: once it is used up, the row says what it said at
  // first.
  if (asked && password) setAsked(false)
  function ask() {
    confirm({
      title: t('access.resetTitle', { name }),
      lost: [t('access.resetText')],
      keep: t('dialog.restartKeep'),
      act: t('access.resetDo'),
      run: { call: clusterPasswordReset, body: { clusterId }, onSuccess: () => setAsked(true) },
    })
  }
  return (
    <SettingRow
      title={t('access.password')}
      text={
        password ? (
          <>
            <OneTimePassword password={password} />
            {t('access.resetOpen')}
          </>
        ) : waits ? (
          <WaitingLine>{t('access.resetWaiting')}</WaitingLine>
        ) : (
          t('access.passwordHelp')
        )
      }
    >
      {password && url ? (
        <Button
          component="a"
          href={wizardLink(new URL('/activate', url).href, password)}
          target="_blank"
          rel="noopener"
          size="xs"
          variant="filled"
          rightSection={<IconArrowUpRight size={15} stroke={1.6} aria-hidden="true" />}
        >
          {t('dialog.activateOpen')}
        </Button>
      ) : (
        cluster.status === 'running' && (
          <Button size="xs" loading={waits} {...refusedButton(refused)} {...(!refused && { onClick: ask })}>
            {t('access.reset')}
          </Button>
        )
      )}
    </SettingRow>
  )
}
