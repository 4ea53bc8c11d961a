import type { CSSVariablesResolver } from '@mantine/core'
import { darkTokens, lightTokens, type TokenName } from './tokens.ts'

/** The names of Mantine's own variables that follow our tokens. */
function mantineVariables(scheme: 'light' | 'dark'): Record<string, string> {
  return {
    '--mantine-color-body': 'var(--atoll-bg)',
    '--mantine-color-text': 'var(--atoll-text)',
    '--mantine-color-bright': 'var(--atoll-text)',
    '--mantine-color-dimmed': 'var(--atoll-text-3)',
    '--mantine-color-placeholder': 'var(--atoll-text-3)',
    '--mantine-color-anchor': 'var(--atoll-accent-text)',
    '--mantine-color-error': 'var(--atoll-coral)',
    '--mantine-color-default': scheme === 'light' ? 'var(--atoll-surface)' : 'var(--atoll-raised)',
    '--mantine-color-default-hover': 'var(--atoll-hover)',
    '--mantine-color-default-color': 'var(--atoll-text)',
    '--mantine-color-default-border': 'var(--atoll-line-2)',
    '--mantine-color-disabled': 'var(--atoll-sunken)',
    '--mantine-color-disabled-color': 'var(--atoll-off)',
    '--mantine-color-disabled-border': 'var(--atoll-line)',
    '--mantine-primary-color-filled': 'var(--atoll-accent)',
    '--mantine-primary-color-filled-hover': 'var(--atoll-accent-hover)',
  }
}

function tokenVariables(tokens: Record<TokenName, string>): Record<string, string> {
  return Object.fromEntries(Object.entries(tokens).map(([name, value]) => [`--atoll-${name}`, value]))
}

/** Every token as `--atoll-*` per scheme, and Mantine's variables pointed at them. */
export const cssVariablesResolver: CSSVariablesResolver = () => ({
  variables: { '--atoll-ease': 'cubic-bezier(0.2, 0.7, 0.2, 1)' },
  light: { ...tokenVariables(lightTokens), ...mantineVariables('light') },
  dark: { ...tokenVariables(darkTokens), ...mantineVariables('dark') },
})
