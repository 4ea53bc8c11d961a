import { StateBadge } from '@atoll/ui'
import type { ReactNode } from 'react'
import { type DocumentLook, lookOf } from '../../billing/shared/document-looks.ts'
import { useText } from '../../locales/text.ts'

interface LookBadgeProps<State extends string> {
  looks: Readonly<Record<State, DocumentLook>>
  state: State
  /** With the box around it, as beside a title. */
  isBoxed?: boolean
  children?: ReactNode
}

/** A state in its colour and word, with what is said beside it. */
export function LookBadge<State extends string>({ looks, state, isBoxed = false, children }: LookBadgeProps<State>) {
  const t = useText()
  const { label, colour, shape } = lookOf(looks, state)
  return (
    <StateBadge bare={!isBoxed} colour={colour} shape={shape}>
      {t(label)}
      {children}
    </StateBadge>
  )
}
