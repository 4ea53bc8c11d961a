import { expect, test } from 'vitest'
import { darkTokens, lightTokens, type TokenName } from './tokens.ts'

function luminance(hex: string): number {
  const [red, green, blue] = [1, 3, 5].map((at) => {
    const share = Number.parseInt(hex.slice(at, at + 2), 16) / 255
    return share <= 0.04045 ? share / 12.92 : ((share + 0.055) / 1.055) ** 2.4
  }) as [number, number, number]
  return 0.2126 * red + 0.7152 * green + 0.0722 * blue
}

function contrast(a: string, b: string): number {
  const [high, low] = [luminance(a), luminance(b)].sort((x, y) => y - x) as [number, number]
  return (high + 0.05) / (low + 0.05)
}

/** WCAG 2.2: text needs 4.5, the edge of an input and a dot that carries meaning 3. */
const pairs: [TokenName, TokenName, number][] = [
  ...(['text', 'text-2', 'text-3', 'accent-text', 'green', 'amber', 'coral'] as const).flatMap((ink) =>
    (['bg', 'surface', 'raised', 'sunken'] as const).map((ground): [TokenName, TokenName, number] => [
      ink,
      ground,
      4.5,
    ]),
  ),
  ['text-3', 'press', 4.5],
  ['on-accent', 'accent', 4.5],
  ['on-accent', 'accent-hover', 4.5],
  ['on-accent', 'coral-fill', 4.5],
  ['accent-text', 'accent-tint', 4.5],
  ['green', 'green-tint', 4.5],
  ['amber', 'amber-tint', 4.5],
  ['coral', 'coral-tint', 4.5],
  ['text-2', 'coral-tint', 4.5],
  ['text-2', 'amber-tint', 4.5],
  ['control', 'surface', 3],
  ['control', 'bg', 3],
  ['accent-line', 'surface', 3],
  ['green-dot', 'surface', 3],
  ['amber-dot', 'surface', 3],
  ['coral-dot', 'surface', 3],
  ['grey-dot', 'surface', 3],
]

test.each([
  ['light', lightTokens],
  ['dark', darkTokens],
])('every pair of the %s scheme can be read', (_scheme, tokens) => {
  const weak = pairs
    .map(([ink, ground, least]) => ({ ink, ground, least, ratio: contrast(tokens[ink], tokens[ground]) }))
    .filter(({ ratio, least }) => ratio < least)
  expect(weak).toEqual([])
})
