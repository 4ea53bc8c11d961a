import type { MantineColorScheme } from '@mantine/core'
import { IconMoon, IconSun, IconSunMoon } from '@tabler/icons-react'

/** The colour schemes a person can choose; the first is the default. */
export const appearances = [
  { scheme: 'auto', icon: IconSunMoon, label: 'shell.auto' },
  { scheme: 'light', icon: IconSun, label: 'shell.light' },
  { scheme: 'dark', icon: IconMoon, label: 'shell.dark' },
] as const satisfies { scheme: MantineColorScheme; icon: unknown; label: string }[]
