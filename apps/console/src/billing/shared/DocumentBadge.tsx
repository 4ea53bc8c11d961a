import { StateBadge } from '@atoll/ui'
import { useText } from '../../locales/text.ts'
import type { DocumentLook } from './document-looks.ts'

interface DocumentBadgeProps {
  look: DocumentLook
  /** In tables: no border, the text of the row. */
  bare?: boolean
}

/** The state of an invoice, a payment or a subscription. */
export function DocumentBadge({ look: { label, colour, shape, tint }, bare = false }: DocumentBadgeProps) {
  const t = useText()
  return (
    <StateBadge colour={colour} shape={shape} tint={tint} bare={bare}>
      {t(label)}
    </StateBadge>
  )
}
