import { Dialog, Notice } from '@atoll/ui'
import { Button } from '@mantine/core'
import { useEffect, useState } from 'react'
import { useCurrentAccount } from '../../accounts/account-store.ts'
import { useClusters } from '../../api/use-clusters.ts'
import { useText } from '../../i18n/text.ts'
import { useInstanceName } from '../cluster/use-instance-name.ts'
import { JoinCommand } from '../self-host/JoinCommand.tsx'
import { useEnrollCommand } from '../self-host/use-enroll-command.ts'
import { WaitingLine } from '../self-host/WaitingLine.tsx'
import classes from './Dialog.module.css'
import { DialogFooter } from './DialogFooter.tsx'
import type { ClusterDialogProps } from './dialog-props.ts'

/** One more machine of the owner's for a self-hosted cluster: the command, and the wait until the machine appears. */
export function AddMachineDialog({ cluster, opened, onClose }: ClusterDialogProps) {
  const t = useText()
  const userid = useCurrentAccount()?.userid ?? ''
  const instanceName = useInstanceName()
  const join = useEnrollCommand(cluster.clusterId, 'worker')
  const now = useClusters(userid).clusters?.find(({ clusterId }) => clusterId === cluster.clusterId)
  const [before] = useState(() => new Set(cluster.workers.map(({ instanceId }) => instanceId)))
  const joined = now?.workers.find(({ instanceId }) => !before.has(instanceId))
  // The next machine needs a command of its own.
  const isUsed = joined !== undefined
  const { forget } = join
  // biome-ignore lint/correctness/useExhaustiveDependencies: it is the joining that uses the command up
  useEffect(() => {
    if (isUsed) forget()
  }, [isUsed])
  return (
    <Dialog opened={opened} onClose={onClose} title={t('join.addTitle', { name: cluster.name })} size={560}>
      {joined ? (
        <Notice
          tone="green"
          role="status"
          title={t('join.joined', { name: instanceName({ role: 'worker', name: joined.name }) })}
        >
          {t('join.joinedText')}
        </Notice>
      ) : (
        <>
          <p className={classes.text}>{t('join.addText')}</p>
          <div className={classes.field}>
            <JoinCommand join={join} />
          </div>
          {join.command && (
            <div className={classes.field}>
              <WaitingLine>{t('join.waiting')}</WaitingLine>
            </div>
          )}
        </>
      )}
      <DialogFooter>
        <Button onClick={onClose}>{t('failure.close')}</Button>
      </DialogFooter>
    </Dialog>
  )
}
