import type { Resource } from '@atoll/contract/clusters'
import { useMatchRoute, useNavigate } from '@tanstack/react-router'
import { type ReactNode, useState } from 'react'
import { showToast } from '../../data/show-toast.ts'
import { LazyPart } from '../../kit/page/LazyPart.tsx'
import { loadTextsBeyondHome } from '../../locales/language.ts'
import { text } from '../../locales/text.ts'
import { type ClusterDialogKind, type ClusterDialogs, ClusterDialogsContext } from './cluster-dialogs-context.ts'

/** Dialogs and questions load when the first one opens. */
const loadDialog = async () => {
  // Choosing a size and a name is worded as in ordering a cluster.
  const [{ ClusterDialog }] = await Promise.all([import('./ClusterDialog.tsx'), loadTextsBeyondHome()])
  return ClusterDialog
}
const loadQuestions = () => import('./cluster-questions.ts')

/** `count` is new for each opening, so that a dialog starts empty. */
interface Opened {
  kind: ClusterDialogKind
  cluster: Resource
  count: number
}

/** Holds the dialog about a cluster that is open, and asks the questions. */
export function ClusterDialogsProvider({ children }: { children: ReactNode }) {
  const navigate = useNavigate()
  const match = useMatchRoute()
  const [last, setLast] = useState<Opened>()
  const [shown, setShown] = useState(false)
  const [dialogs] = useState<ClusterDialogs>(() => ({
    open(kind, cluster) {
      setLast((before) => ({ kind, cluster, count: (before?.count ?? 0) + 1 }))
      setShown(true)
    },
    ask(kind, cluster, instance) {
      const params = { clusterId: cluster.clusterId }
      const leavePage = () => {
        if (match({ to: '/cluster/$clusterId', params })) void navigate({ to: '/' })
      }
      loadQuestions().then(
        ({ askAbout }) => askAbout(kind, { cluster, instance, leavePage }),
        () => void showToast({ kind: 'failure', text: text('failure.network') }),
      )
    },
  }))
  const close = () => setShown(false)
  return (
    <ClusterDialogsContext value={dialogs}>
      {children}
      {last && (
        <LazyPart
          key={last.count}
          wanted={shown}
          onFailure={close}
          load={loadDialog}
          props={{ opened: shown, onClose: close, kind: last.kind, cluster: last.cluster }}
        />
      )}
    </ClusterDialogsContext>
  )
}
