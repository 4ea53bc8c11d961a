import type { Resource } from '@atoll/contract'
import { lazy, type ReactNode, Suspense, useMemo, useState } from 'react'
import { type ClusterDialogKind, ClusterDialogsContext } from './cluster-dialogs-context.ts'

/** Dialogs load when the first one opens. */
const ClusterDialog = lazy(() => import('./ClusterDialog.tsx').then((module) => ({ default: module.ClusterDialog })))

interface Opened {
  kind: ClusterDialogKind
  cluster: Resource
  /** New for each opening, so that a dialog starts empty. */
  count: number
}

/** Holds the dialog about a cluster that is open. */
export function ClusterDialogsProvider({ children }: { children: ReactNode }) {
  const [last, setLast] = useState<Opened>()
  const [shown, setShown] = useState(false)
  const dialogs = useMemo(
    () => ({
      open: (kind: ClusterDialogKind, cluster: Resource) => {
        setLast((before) => ({ kind, cluster, count: (before?.count ?? 0) + 1 }))
        setShown(true)
      },
    }),
    [],
  )
  return (
    <ClusterDialogsContext value={dialogs}>
      {children}
      {last && (
        <Suspense>
          <ClusterDialog
            key={last.count}
            kind={last.kind}
            cluster={last.cluster}
            opened={shown}
            onClose={() => setShown(false)}
          />
        </Suspense>
      )}
    </ClusterDialogsContext>
  )
}
