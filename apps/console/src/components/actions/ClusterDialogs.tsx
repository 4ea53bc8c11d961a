import type { Resource } from '@atoll/contract'
import { lazy, type ReactNode, Suspense, useMemo, useState } from 'react'
import {
  type AnyInstance,
  type ClusterDialogKind,
  ClusterDialogsContext,
  type InstanceDialogKind,
} from './cluster-dialogs-context.ts'

/** Dialogs load when the first one opens. */
const ClusterDialog = lazy(() => import('./ClusterDialog.tsx').then((module) => ({ default: module.ClusterDialog })))
const InstanceDialog = lazy(() => import('./InstanceDialog.tsx').then((module) => ({ default: module.InstanceDialog })))

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
  const frame = { opened: shown, onClose: () => setShown(false) }
  return (
    <ClusterDialogsContext value={dialogs}>
      {children}
      {last && (
        <Suspense>
          {last.instance ? (
            <InstanceDialog
              key={last.count}
              kind={last.kind}
              cluster={last.cluster}
              instance={last.instance}
              {...frame}
            />
          ) : (
            <ClusterDialog key={last.count} kind={last.kind} cluster={last.cluster} {...frame} />
          )}
        </Suspense>
      )}
    </ClusterDialogsContext>
  )
}
