import { createTheme, type MantineColorsTuple, rem } from '@mantine/core'
import { componentDefaults } from './component-defaults.ts'
import { variantColorResolver } from './variant-colors.ts'

const lagoon: MantineColorsTuple = [
  '#EDF6F7',
  '#D3E9EB',
  '#A6D3D8',
  '#72C4CB',
  '#45AAB3',
  '#1F8F9A',
  '#0F7B87',
  '#0A6672',
  '#08515B',
  '#063C44',
]
const gray: MantineColorsTuple = [
  '#FAF9F7',
  '#F4F2EE',
  '#EFECE7',
  '#E7E4DE',
  '#D4D0C8',
  '#A8A39A',
  '#8C877D',
  '#6D685F',
  '#57534C',
  '#1C1A17',
]
const dark: MantineColorsTuple = [
  '#EFEDE8',
  '#B5B0A7',
  '#938E85',
  '#77726A',
  '#3D3A36',
  '#2B2926',
  '#211F1D',
  '#191816',
  '#121110',
  '#0D0C0B',
]

/** System fonts carry Chinese; nothing of CJK is downloaded. */
const fontFamily =
  '"Inter Variable","Inter Variable Ext","PingFang SC","HarmonyOS Sans SC","MiSans","Microsoft YaHei UI","Noto Sans SC","Source Han Sans SC",system-ui,sans-serif'
const fontFamilyMonospace =
  '"JetBrains Mono Variable","JetBrains Mono Variable Ext","SFMono-Regular","Cascadia Mono",Menlo,Consolas,"Noto Sans SC",monospace'

const heading = (size: number, lineHeight: string) => ({ fontSize: rem(size), fontWeight: '600', lineHeight })

/** Design language, "Mantine 9.7 theme". */
export const theme = createTheme({
  primaryColor: 'lagoon',
  primaryShade: { light: 7, dark: 6 },
  autoContrast: false,
  white: '#FFFFFF',
  black: '#1C1A17',
  cursorType: 'pointer',
  focusRing: 'auto',
  respectReducedMotion: true,
  fontSmoothing: true,
  colors: { lagoon, gray, dark },
  fontFamily,
  fontFamilyMonospace,
  fontSizes: { xs: rem(12), sm: rem(13), md: rem(14), lg: rem(16), xl: rem(18) },
  lineHeights: { xs: '1.333', sm: '1.385', md: '1.429', lg: '1.5', xl: '1.444' },
  fontWeights: { regular: '400', medium: '520', bold: '600' },
  headings: {
    fontFamily,
    fontWeight: '600',
    textWrap: 'balance',
    sizes: {
      h1: heading(24, '1.333'),
      h2: heading(18, '1.444'),
      h3: heading(15, '1.467'),
      h4: heading(13, '1.385'),
    },
  },
  spacing: { xs: rem(8), sm: rem(12), md: rem(16), lg: rem(24), xl: rem(32) },
  radius: { xs: rem(4), sm: rem(6), md: rem(8), lg: rem(10), xl: rem(14) },
  defaultRadius: 'md',
  breakpoints: { xs: '22.5em', sm: '30em', md: '48em', lg: '64em', xl: '80em' },
  shadows: {
    xs: 'none',
    sm: 'none',
    md: 'var(--atoll-shadow-menu)',
    lg: 'none',
    xl: 'var(--atoll-shadow-dialog)',
  },
  variantColorResolver,
  components: componentDefaults,
})
