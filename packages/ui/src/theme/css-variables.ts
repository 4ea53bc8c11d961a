import {
  convertCssVariables,
  DEFAULT_THEME,
  deepMerge,
  defaultCssVariablesResolver,
  em,
  mergeMantineTheme,
  px,
} from '@mantine/core'
import { theme } from './theme.ts'
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
    '--mantine-color-success': 'var(--atoll-green)',
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
const ours = {
  variables: { '--atoll-ease': 'cubic-bezier(0.2, 0.7, 0.2, 1)' },
  light: { ...tokenVariables(lightTokens), ...mantineVariables('light') },
  dark: { ...tokenVariables(darkTokens), ...mantineVariables('dark') },
}

/** Mantine's own palettes, 270 variables: our colours are the tokens. */
const foreign = Object.keys(DEFAULT_THEME.colors).filter((name) => !(name in (theme.colors ?? {})))

/**
 * The text of `variables.css`. Mantine would work it out in every visitor's browser, twice, and add it as a style
 * sheet of its own once the page is there, for which the browser restyles every element. Run `npx vitest run
 * --project unit packages/ui/src/theme -u` after a change of the theme.
 */
export function variablesSheet(): string {
  const merged = mergeMantineTheme(DEFAULT_THEME, theme)
  const all = deepMerge(defaultCssVariablesResolver(merged), ours)
  const isForeign = (name: string) => foreign.some((colour) => name.startsWith(`--mantine-color-${colour}-`))
  const without = (variables: Record<string, string>) =>
    Object.fromEntries(Object.entries(variables).filter(([name]) => !isForeign(name)))
  const sheet = convertCssVariables({
    variables: without(all.variables),
    light: without(all.light),
    dark: without(all.dark),
  })
  const lines = `${sheet}\n${breakpointClasses(merged.breakpoints)}`.replaceAll(/[{;}]/g, '$&\n').split(/\n+/)
  return `/* Written by css-variables.ts. */\n${lines.join('\n')}`
}

/** What `visibleFrom` and `hiddenFrom` of Mantine's components mean. */
function breakpointClasses(breakpoints: Record<string, string>): string {
  return Object.entries(breakpoints)
    .map(([name, width]) => {
      const from = Number(px(width))
      return `@media (max-width: ${em(from - 0.1)}) {.mantine-visible-from-${name} {display: none !important;}}
@media (min-width: ${em(from)}) {.mantine-hidden-from-${name} {display: none !important;}}`
    })
    .join('\n')
}
