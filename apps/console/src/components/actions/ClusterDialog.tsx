import { clusterRestart, clusterStop, type Resource } from '@atoll/contract'
import { useText } from '../../i18n/text.ts'
import { ActivateDialog } from './ActivateDialog.tsx'
import type { ClusterDialogKind } from './cluster-dialogs-context.ts'
import { DestroyDialog } from './DestroyDialog.tsx'
import { InterruptDialog } from './InterruptDialog.tsx'

interface ClusterDialogProps {
  kind: ClusterDialogKind
  cluster: Resource
  opened: boolean
  onClose: () => void
}

/** The dialog of `kind` about `cluster`. */
export function ClusterDialog({ kind, ...props }: ClusterDialogProps) {
  const t = useText()
  const { name } = props.cluster
  switch (kind) {
    case 'activate':
      return <ActivateDialog {...props} />
    case 'destroy':
      return <DestroyDialog {...props} />
    case 'stop':
      return (
        <InterruptDialog
          {...props}
          call={clusterStop}
          title={t('dialog.stopTitle', { name })}
          text={t('dialog.stopText')}
          keep={t('dialog.stopKeep')}
          confirm={t('dialog.stopDo', { name })}
        />
      )
    case 'restart':
      return (
        <InterruptDialog
          {...props}
          call={clusterRestart}
          title={t('dialog.restartTitle', { name })}
          text={t('dialog.restartText')}
          keep={t('dialog.restartKeep')}
          confirm={t('dialog.restartDo', { name })}
        />
      )
  }
}
