import { IconArrowDown, IconArrowUp } from '@tabler/icons-react'

interface OrderArrowProps {
  descending: boolean
}

/** Which way a column is sorted. Decoration: screen readers get it in words. */
export function OrderArrow({ descending }: OrderArrowProps) {
  const Icon = descending ? IconArrowDown : IconArrowUp
  return <Icon size={14} stroke={1.8} aria-hidden="true" />
}
