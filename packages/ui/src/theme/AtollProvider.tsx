import { MantineProvider } from '@mantine/core'
import { setNonce } from 'get-nonce'
import { type ReactNode, useEffect } from 'react'
import { LateTips } from '../feedback/LateTips.tsx'
import { theme } from './theme.ts'

const attribute = 'data-mantine-color-scheme'

interface AtollProviderProps {
  children: ReactNode
}

/** The nonce for style elements made here; the server writes it into the page for its content security policy. */
function styleNonce(): string {
  return document.querySelector<HTMLMetaElement>('meta[property="csp-nonce"]')?.nonce ?? ''
}

/**
 * Theme, tokens and colour scheme (light, dark or the system's) for everything below. Import `@atoll/ui/styles.css`
 * once.
 */
export function AtollProvider({ children }: AtollProviderProps) {
  usePrintInLight()
  // The scroll lock under dialogs makes its own style element and asks get-nonce.
  setNonce(styleNonce())
  return (
    <MantineProvider
      theme={theme}
      defaultColorScheme="auto"
      getStyleNonce={styleNonce}
      // Both are in `styles.css` already.
      withCssVariables={false}
      withGlobalClasses={false}
    >
      {children}
      <LateTips />
    </MantineProvider>
  )
}

/** Paper is white: a dark page is printed in the light colours, and is dark again afterwards. */
function usePrintInLight(): void {
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
