import type { Resource } from '@atoll/contract/clusters'
import { type ReactNode, useMemo, useState } from 'react'
import { LazyPart } from '../../kit/page/LazyPart.tsx'
import {
  type AnyInstance,
  type ClusterDialogKind,
  ClusterDialogsContext,
  type InstanceDialogKind,
} from './cluster-dialogs-context.ts'

/** Dialogs load when the first one opens. */
const loadClusterDialog = () => import('./ClusterDialog.tsx').then((module) => module.ClusterDialog)
const loadInstanceDialog = () => import('./InstanceDialog.tsx').then((module) => module.InstanceDialog)

type Subject =
  | { kind: ClusterDialogKind; cluster: Resource; instance?: undefined }
  | { kind: InstanceDialogKind; cluster: Resource; instance: AnyInstance }
/** `count` is new for each opening, so that a dialog starts empty. */
type Opened = Subject & { count: number }

/** Holds the dialog about a cluster or an instance that is open. */
export function ClusterDialogsProvider({ children }: { children: ReactNode }) {
  const [last, setLast] = useState<Opened>()
  const [shown, setShown] = useState(false)
  const dialogs = useMemo(() => {
    const show = (subject: Subject) => {
      setLast((before) => ({ ...subject, count: (before?.count ?? 0) + 1 }))
      setShown(true)
    }
    return {
      open: (kind: ClusterDialogKind, cluster: Resource) => show({ kind, cluster }),
      openAbout: (kind: InstanceDialogKind, cluster: Resource, instance: AnyInstance) =>
        show({ kind, cluster, instance }),
    }
  }, [])
  const close = () => setShown(false)
  const frame = { opened: shown, onClose: close }
  const part = { wanted: shown, onFailure: close }
  return (
    <ClusterDialogsContext value={dialogs}>
      {children}
      {last &&
        (last.instance ? (
          <LazyPart
            key={last.count}
            {...part}
            load={loadInstanceDialog}
            props={{ ...frame, kind: last.kind, cluster: last.cluster, instance: last.instance }}
          />
        ) : (
          <LazyPart
            key={last.count}
            {...part}
            load={loadClusterDialog}
            props={{ ...frame, kind: last.kind, cluster: last.cluster }}
          />
        ))}
    </ClusterDialogsContext>
  )
}
