import { Notice } from '@atoll/ui'
import { Button } from '@mantine/core'
import { useEffect, useState } from 'react'
import classes from '../../kit/dialog/Dialog.module.css'
import { DialogFooter } from '../../kit/dialog/DialogFooter.tsx'
import type { ClusterDialogProps } from '../../kit/dialog/dialog-props.ts'
import { PageDialog } from '../../kit/dialog/PageDialog.tsx'
import { useText } from '../../locales/text.ts'
import { useInstanceName } from '../card/use-instance-name.ts'
import { JoinCommand } from '../self-host/JoinCommand.tsx'
import { useEnrollCommand } from '../self-host/use-enroll-command.ts'
import { WaitingLine } from '../self-host/WaitingLine.tsx'
import { useClusters } from '../use-clusters.ts'

/** One more host for a self-hosted cluster: the command, and the wait until the host appears. */
export function AddHostDialog({ cluster, opened, onClose }: ClusterDialogProps) {
  const t = useText()
  const instanceName = useInstanceName()
  const join = useEnrollCommand(cluster.clusterId, 'worker')
  const now = useClusters().clusters?.find(({ clusterId }) => clusterId === cluster.clusterId)
  const [before] = useState(() => new Set(cluster.workers.map(({ instanceId }) => instanceId)))
  const joined = now?.workers.find(({ instanceId }) => !before.has(instanceId))
  // The next host needs a command of its own.
  const isUsed = joined !== undefined
  const { forget } = join
  // biome-ignore lint/correctness/useExhaustiveDependencies: it is the joining that uses the command up
  useEffect(() => {
    if (isUsed) forget()
  }, [isUsed])
  return (
    <PageDialog opened={opened} onClose={onClose} title={t('join.addTitle', { name: cluster.name })} size={560}>
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
    </PageDialog>
  )
}
