import { IconArrowDown, IconArrowUp } from '@tabler/icons-react'

interface OrderArrowProps {
  descending: boolean
}

/** Which way a column is sorted. Decoration: whoever cannot see it is told in words. */
export function OrderArrow({ descending }: OrderArrowProps) {
  const Icon = descending ? IconArrowDown : IconArrowUp
  return <Icon size={14} stroke={1.8} aria-hidden="true" />
}
