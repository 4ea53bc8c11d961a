import { clusterPasswordReset, type Resource } from '@atoll/contract/clusters'
import { wizardLink } from '@atoll/contract/wizard-link'
import { Button } from '@mantine/core'
import { IconArrowUpRight } from '@tabler/icons-react'
import { useEffect, useState } from 'react'
import { useCallMutation } from '../../data/use-call-mutation.ts'
import { useOfflineReason } from '../../kit/browser/use-offline-reason.ts'
import { ConfirmDialog } from '../../kit/dialog/ConfirmDialog.tsx'
import { useText } from '../../kit/i18n/text.ts'
import { refusedButton } from '../../kit/menu/refused-button.ts'
import { SettingRow } from '../../kit/page/SettingRow.tsx'
import { WaitingLine } from '../self-host/WaitingLine.tsx'
import { OneTimePassword } from './OneTimePassword.tsx'

interface PasswordRowProps {
  cluster: Resource
  /** The one-time password that sets a new one; undefined: none was asked for. */
  password: string | undefined
}

/** The owner's password of an active cluster: asked for anew with a one-time password, which the wizard then takes. */
export function PasswordRow({ cluster, password }: PasswordRowProps) {
  const t = useText()
  const { clusterId, name, url } = cluster
  const offline = useOfflineReason()
  const [asking, setAsking] = useState(false)
  const [asked, setAsked] = useState(false)
  const reset = useCallMutation(clusterPasswordReset)
  const waits = asked && password === undefined
  // It has come, maybe before the call that asked for it ended: once it is used up, the row says what it said at
  // first.
  useEffect(() => {
    if (password) setAsked(false)
  }, [password])
  function ask() {
    reset.reset()
    setAsking(true)
  }
  return (
    <>
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
            <Button size="xs" loading={waits} {...refusedButton(offline)} {...(!offline && { onClick: ask })}>
              {t('access.reset')}
            </Button>
          )
        )}
      </SettingRow>
      <ConfirmDialog
        opened={asking}
        onClose={() => setAsking(false)}
        title={t('access.resetTitle', { name })}
        text={t('access.resetText')}
        keep={t('dialog.restartKeep')}
        confirm={t('access.resetDo')}
        change={reset}
        onConfirm={() => {
          setAsked(true)
          reset.mutate({ clusterId }, { onSuccess: () => setAsking(false), onError: () => setAsked(false) })
        }}
      />
    </>
  )
}
