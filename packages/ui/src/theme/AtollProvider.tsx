import { MantineProvider } from '@mantine/core'
import type { ReactNode } from 'react'
import { cssVariablesResolver } from './css-variables.ts'
import { theme } from './theme.ts'

interface AtollProviderProps {
  children: ReactNode
}

/** Theme, tokens and colour scheme (light, dark or the system's) for everything below. Import `@atoll/ui/styles.css` once. */
export function AtollProvider({ children }: AtollProviderProps) {
  return (
    <MantineProvider theme={theme} cssVariablesResolver={cssVariablesResolver} defaultColorScheme="auto">
      {children}
    </MantineProvider>
  )
}
