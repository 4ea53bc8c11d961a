import { useState } from 'react'
import { type FileOrder, nextOrder, type OrderKey } from './file-order.ts'

/** As chosen last in this tab: the next folder is shown the same way. */
let chosen: FileOrder = { by: 'name', descending: false }

/** In which the next folder is asked for. */
export const chosenOrder = () => chosen

export function useFileOrder(): { order: FileOrder; orderBy(key: OrderKey): void } {
  const [order, setOrder] = useState(chosen)
  return {
    order,
    orderBy(key) {
      chosen = nextOrder(order, key)
      setOrder(chosen)
    },
  }
}
