import { defaultVariantColorsResolver, type VariantColorsResolver } from '@mantine/core'

const token = (name: string) => `var(--atoll-${name})`

/**
 * Adds `danger` (the last button of a destroy dialog), `dangerOutline` (what opens one) and a quiet `subtle`; the
 * filled variant takes the accent of the scheme.
 */
export const variantColorResolver: VariantColorsResolver = (input) => {
  switch (input.variant) {
    case 'filled':
      return {
        background: token('accent'),
        hover: token('accent-hover'),
        color: token('on-accent'),
        border: '1px solid transparent',
      }
    case 'danger':
      return {
        background: token('coral-fill'),
        hover: token('coral-fill-hover'),
        color: '#fff',
        border: '1px solid transparent',
      }
    case 'dangerOutline':
      return {
        background: 'transparent',
        hover: token('coral-tint'),
        color: token('coral'),
        border: `1px solid ${token('coral-line')}`,
      }
    case 'subtle':
      return {
        background: 'transparent',
        hover: token('press'),
        color: token('text-2'),
        hoverColor: token('text'),
        border: '1px solid transparent',
      }
    default:
      return defaultVariantColorsResolver(input)
  }
}
