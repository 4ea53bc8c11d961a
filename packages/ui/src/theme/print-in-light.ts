import { useEffect } from 'react'

const attribute = 'data-mantine-color-scheme'

/** Paper is white: a dark page is printed in the light colours, and is dark again afterwards. */
export function usePrintInLight(): void {
  useEffect(() => {
    const root = document.documentElement
    const print = matchMedia('print')
    let before: string | null = null
    const follow = () => {
      if (print.matches) {
        before = root.getAttribute(attribute)
        root.setAttribute(attribute, 'light')
      } else if (before !== null) root.setAttribute(attribute, before)
    }
    print.addEventListener('change', follow)
    return () => print.removeEventListener('change', follow)
  }, [])
}
