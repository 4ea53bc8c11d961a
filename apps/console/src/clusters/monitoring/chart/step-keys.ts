interface Pressed {
  key: string
  shiftKey: boolean
}

/** Steps that Shift makes of one. */
const big = 10

/** Where a key leads from step `at` of 0 to `last`; 'leave': to none; undefined: it is not for the chart. */
export function stepAfterKey({ key, shiftKey }: Pressed, at: number, last: number): number | 'leave' | undefined {
  const width = shiftKey ? big : 1
  switch (key) {
    case 'ArrowLeft':
      return Math.max(0, at - width)
    case 'ArrowRight':
      return Math.min(last, at + width)
    case 'Home':
      return 0
    case 'End':
      return last
    case 'Escape':
      return 'leave'
    default:
      return undefined
  }
}
