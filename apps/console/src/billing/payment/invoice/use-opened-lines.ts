import { useLocation, useNavigate } from '@tanstack/react-router'

/** The lines of an invoice that are open, as they stand in the address: `#line-3`, `#line-3,5`. */
export function useOpenedLines(): { opened: readonly number[]; open: (lines: readonly number[]) => void } {
  const hash = useLocation({ select: (location) => location.hash })
  const navigate = useNavigate()
  return {
    opened: readOpened(hash),
    open(lines) {
      const wanted = [...new Set(lines)].sort((a, b) => a - b)
      const options = { replace: true, resetScroll: false, hashScrollIntoView: false }
      void navigate({
        to: '.',
        search: true,
        ...(wanted.length > 0 && { hash: `line-${wanted.join(',')}` }),
        ...options,
      })
    },
  }
}

/** The lines that a hash names; none for any other. */
export function readOpened(hash: string): number[] {
  const [, lines] = /^line-(\d{1,5}(?:,\d{1,5})*)$/.exec(hash) ?? []
  return lines === undefined ? [] : lines.split(',').map(Number)
}
