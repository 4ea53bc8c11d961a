import { MantineProvider } from '@mantine/core'
import { setNonce } from 'get-nonce'
import type { ReactNode } from 'react'
import { LateTips } from '../feedback/LateTips.tsx'
import { usePrintInLight } from './print-in-light.ts'
import { theme } from './theme.ts'

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
