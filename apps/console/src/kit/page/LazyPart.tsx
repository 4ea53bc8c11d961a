import { type ComponentType, type ReactNode, useEffect, useEffectEvent, useState } from 'react'
import { showToast } from '../../data/show-toast.ts'
import { text } from '../../locales/text.ts'

interface LazyPartProps<Props extends object> {
  load: () => Promise<ComponentType<Props>>
  /** It is loaded when this first becomes true, and stays. */
  wanted: boolean
  /** It could not be loaded: the person was shown that, and the caller takes its request back. */
  onFailure: () => void
  props: Props
  /** In its place until it is there; undefined: nothing. */
  fallback?: ReactNode
}

/**
 * A part whose code comes when it is first wanted. Not `React.lazy`: without a network that breaks the page around it,
 * for good, and with one React holds back for 300 ms whatever came after a fallback was drawn. Here the failure is
 * shown, and the next try loads again.
 */
export function LazyPart<Props extends object>({ load, wanted, onFailure, props, fallback }: LazyPartProps<Props>) {
  const [part, setPart] = useState<{ Component: ComponentType<Props> }>()
  const loaded = part !== undefined
  const failed = useEffectEvent(onFailure)
  useEffect(() => {
    if (!wanted || loaded) return
    let current = true
    load().then(
      (Component) => current && setPart({ Component }),
      () => {
        if (!current) return
        showToast({ kind: 'failure', text: text('failure.network') })
        failed()
      },
    )
    return () => {
      current = false
    }
  }, [wanted, loaded, load])
  return part ? <part.Component {...props} /> : fallback
}
