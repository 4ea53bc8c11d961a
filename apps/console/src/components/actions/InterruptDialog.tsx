import type { clusterRestart, clusterStop, Resource } from '@atoll/contract'
import { Dialog } from '@atoll/ui'
import { Button } from '@mantine/core'
import { useClusterMutation } from '../../api/use-cluster-mutation.ts'
import { FailureNotice } from '../FailureNotice.tsx'
import classes from './Dialog.module.css'
import { DialogFooter } from './DialogFooter.tsx'

interface InterruptDialogProps {
  cluster: Resource
  opened: boolean
  onClose: () => void
  call: typeof clusterStop | typeof clusterRestart
  title: string
  /** What happens meanwhile, and to the data. */
  text: string
  keep: string
  confirm: string
}

/** Asks before the cluster is interrupted. Nothing is lost, so nothing has to be typed. */
export function InterruptDialog({ cluster, opened, onClose, call, title, text, keep, confirm }: InterruptDialogProps) {
  const action = useClusterMutation(call, cluster)
  return (
    <Dialog opened={opened} onClose={onClose} title={title}>
      <p className={classes.text}>{text}</p>
      <FailureNotice error={action.error} className={classes.failure} />
      <DialogFooter>
        <Button data-autofocus onClick={onClose}>
          {keep}
        </Button>
        <Button variant="filled" loading={action.isPending} onClick={() => action.mutate({}, { onSuccess: onClose })}>
          {confirm}
        </Button>
      </DialogFooter>
    </Dialog>
  )
}
