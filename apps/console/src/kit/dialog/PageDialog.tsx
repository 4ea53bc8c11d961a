import { Dialog, type DialogProps } from '@atoll/ui'
import { PartBoundary } from '../page/PartBoundary.tsx'

/** A dialog whose content may break without the page under it. */
export function PageDialog({ children, ...props }: DialogProps) {
  return (
    <Dialog {...props}>
      <PartBoundary>{children}</PartBoundary>
    </Dialog>
  )
}
