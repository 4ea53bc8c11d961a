import { backupRestoring, backupUnlock, type NewClusterRestore } from '@atoll/contract/backups'
import type { Resource } from '@atoll/contract/clusters'
import { formatBytes } from '@atoll/ui/i18n'
import { Skeleton } from '@mantine/core'
import { type FormEvent, useEffect, useEffectEvent, useState } from 'react'
import backups from '../../backups/Backups.module.css'
import { Progress } from '../../backups/detail/RunCard.tsx'
import { PasswordField } from '../../backups/dialogs/PasswordField.tsx'
import { useSealing } from '../../backups/dialogs/use-sealed.ts'
import { countFiles } from '../../backups/plan-words.ts'
import { serverNow } from '../../config/runtime-config.ts'
import { useCall } from '../../data/use-call.ts'
import { useCallMutation } from '../../data/use-call-mutation.ts'
import { formatDayAndTimeWithin } from '../../kit/format/times.ts'
import { ChangeButton } from '../../kit/page/ChangeButton.tsx'
import { FailureNotice } from '../../kit/page/FailureNotice.tsx'
import { LoadFailure } from '../../kit/page/LoadFailure.tsx'
import { useLocale, useText } from '../../locales/text.ts'
import classes from '../frame/ClusterPage.module.css'
import { dropPassword, heldPassword, holdPassword } from './held-password.ts'

/** The restore that a cluster is created from: its progress, or the password that it waits for. */
export function RestorePanel({ cluster: { clusterId, name } }: { cluster: Pick<Resource, 'clusterId' | 'name'> }) {
  const t = useText()
  const locale = useLocale()
  const { data, error, refetch } = useCall(backupRestoring, { clusterId })
  if (!data && error) return <LoadFailure title={t('backups.detailError')} error={error} onRetry={refetch} />
  if (!data) return <Skeleton height={160} radius={10} />
  const { restoring } = data
  if (!restoring) return null
  const { restore, backupName, size, files } = restoring
  const time = formatDayAndTimeWithin(restore.snapshotAt, serverNow(), locale)
  return (
    <section className="box clip" aria-labelledby="restoring">
      <div className={classes.cardHeader}>
        <h2 id="restoring">{t('backups.restoring')}</h2>
        <span className={classes.cardNote}>
          {[
            t('backups.restoringFrom', { name: backupName, time }),
            t('backups.restoringFiles', { size: formatBytes(size ?? 0, locale), ...countFiles(files, locale) }),
          ].join(t('money.dot'))}
        </span>
      </div>
      <div className={backups.runBody}>
        {restore.state === 'Pending' && restore.needsPassword ? (
          <PasswordForm clusterId={clusterId} name={name} restoring={restoring} />
        ) : restore.progress ? (
          <Progress progress={restore.progress} />
        ) : (
          <p className="quiet">
            {restore.state === 'Completed' ? t('backups.filesBack') : (restore.reason ?? t('backups.beginning'))}
          </p>
        )}
        <p className={backups.afterwards}>{t('backups.noSecrets', { cluster: name })}</p>
      </div>
    </section>
  )
}

interface PasswordFormProps {
  clusterId: string
  name: string
  restoring: NewClusterRestore
}

/**
 * Asks for the password of the backup. Typed before the machine has reported its key it waits in this page, and nowhere
 * else; a page that is closed until then asks again.
 */
function PasswordForm({ clusterId, name, restoring: { backupId, backupName, refused, key } }: PasswordFormProps) {
  const t = useText()
  const [password, setPassword] = useState(() => heldPassword(clusterId) ?? '')
  const [isHeld, setHeld] = useState(password !== '')
  const [problem, setProblem] = useState<string>()
  const sealing = useSealing({ key })
  const unlock = useCallMutation(backupUnlock)
  function send() {
    setHeld(false)
    dropPassword(clusterId)
    sealing.seal(password, (box) => box !== undefined && unlock.mutate({ clusterId, backupId, box }))
  }
  const sendHeld = useEffectEvent(() => {
    if (isHeld) send()
  })
  useEffect(() => {
    if (key) sendHeld()
  }, [key])
  function submit(event: FormEvent) {
    event.preventDefault()
    setProblem(password === '' ? t('backups.passwordMissing') : undefined)
    if (password === '' || unlock.isPending) return
    if (key) return send()
    holdPassword(clusterId, password)
    setHeld(true)
  }
  const wrong = refused && !unlock.isPending ? t('backups.wrongPassword') : undefined
  return (
    <form className={backups.unlock} onSubmit={submit} noValidate>
      <PasswordField
        kind="current"
        backupName={backupName}
        value={password}
        onChange={(typed) => {
          setPassword(typed)
          setProblem(undefined)
          // Another one is sent by its own press.
          setHeld(false)
          dropPassword(clusterId)
        }}
        clusterName={name}
        problem={problem ?? sealing.problem ?? wrong}
      />
      <p className={backups.help}>{t(isHeld ? 'backups.passwordHeld' : 'backups.passwordCase')}</p>
      <FailureNotice error={unlock.error} />
      <div>
        <ChangeButton type="submit" variant="filled" loading={isHeld || unlock.isPending || sealing.isSealing}>
          {t(refused ? 'backups.passwordRetry' : 'backups.passwordSend')}
        </ChangeButton>
      </div>
    </form>
  )
}
