import {
  convertCssVariables,
  DEFAULT_THEME,
  defaultCssVariablesResolver,
  em,
  mergeMantineTheme,
  px,
} from '@mantine/core'
import { theme } from './theme.ts'
import { darkTokens, lightTokens, type TokenName } from './tokens.ts'

/** Mantine's own variables that follow our tokens. */
const mantineVariables: Record<string, string> = {
  '--mantine-color-body': 'var(--atoll-bg)',
  '--mantine-color-text': 'var(--atoll-text)',
  '--mantine-color-bright': 'var(--atoll-text)',
  '--mantine-color-dimmed': 'var(--atoll-text-3)',
  '--mantine-color-placeholder': 'var(--atoll-text-3)',
  '--mantine-color-anchor': 'var(--atoll-accent-text)',
  '--mantine-color-error': 'var(--atoll-coral)',
  '--mantine-color-success': 'var(--atoll-green)',
  '--mantine-color-default': 'var(--atoll-raised)',
  '--mantine-color-default-hover': 'var(--atoll-hover)',
  '--mantine-color-default-color': 'var(--atoll-text)',
  '--mantine-color-default-border': 'var(--atoll-line-2)',
  '--mantine-color-disabled': 'var(--atoll-sunken)',
  '--mantine-color-disabled-color': 'var(--atoll-off)',
  '--mantine-color-disabled-border': 'var(--atoll-line)',
  '--mantine-primary-color-filled': 'var(--atoll-accent)',
  '--mantine-primary-color-filled-hover': 'var(--atoll-accent-hover)',
  // Components derive these from the theme's primary colour.
  '--mantine-color-lagoon-filled': 'var(--atoll-accent)',
}

function tokenVariables(tokens: Record<TokenName, string>): Record<string, string> {
  return Object.fromEntries(Object.entries(tokens).map(([name, value]) => [`--atoll-${name}`, value]))
}

/**
 * Variables that no style sheet reads: our colours are the tokens, our headings are in `base.css`. Of Mantine's
 * palettes its style sheets read the greys.
 */
const unread =
  /^--mantine-(breakpoint|heading|h\d|font-family-headings|primary-color-(\d|light)|color-(?!(dark|gray)-\d)\w+-(\d|text|filled|light|outline))/

/**
 * The text of `variables.css`. Mantine would work it out in every visitor's browser, twice, and add it as a style
 * sheet of its own once the page is there, for which the browser restyles every element. Run `npx vitest run
 * --project unit packages/ui/src/theme -u` after a change of the theme.
 */
export function variablesSheet(): string {
  const merged = mergeMantineTheme(DEFAULT_THEME, theme)
  const theirs = defaultCssVariablesResolver(merged)
  const pick = (variables: Record<string, string>) =>
    Object.fromEntries(Object.entries(variables).filter(([name]) => !(name in mantineVariables || unread.test(name))))
  const sheet = convertCssVariables({
    variables: { ...pick(theirs.variables), ...mantineVariables, '--atoll-ease': 'cubic-bezier(0.2, 0.7, 0.2, 1)' },
    light: { ...pick(theirs.light), ...tokenVariables(lightTokens) },
    dark: { ...pick(theirs.dark), ...tokenVariables(darkTokens) },
  })
  const lines = `${sheet}\n${breakpointClasses('md', merged.breakpoints.md)}`.replaceAll(/[{;}]/g, '$&\n').split(/\n+/)
  return `/* Written by css-variables.ts. */\n${lines.join('\n')}`
}

/** The classes of Mantine's `visibleFrom` and `hiddenFrom` at the one breakpoint they are used with. */
function breakpointClasses(name: string, width: string): string {
  const from = Number(px(width))
  return `@media (max-width: ${em(from - 0.1)}) {.mantine-visible-from-${name} {display: none !important;}}
@media (min-width: ${em(from)}) {.mantine-hidden-from-${name} {display: none !important;}}`
}
