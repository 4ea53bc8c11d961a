import { IconHelpCircle } from '@tabler/icons-react'
import { useNavigate } from '@tanstack/react-router'
import { useHelp } from '../../help/use-help.ts'
import { useText } from '../../locales/text.ts'
import { PaletteGroup } from './PaletteGroup.tsx'
import { PaletteOption } from './PaletteOption.tsx'
import { usePalette } from './palette-context.ts'

/** Pages of the help, by all their words. They appear once something is typed. */
export function PaletteHelp() {
  const t = useText()
  const navigate = useNavigate()
  const { words } = usePalette()
  const { data } = useHelp({ enabled: words.length > 0 })
  if (words.length === 0) return null
  return (
    <PaletteGroup title={t('help.title')}>
      {data?.map(({ name, title, blocks }) => (
        <PaletteOption
          key={name}
          icon={IconHelpCircle}
          label={title}
          keywords={`${t('help.title')} ${blocks.map((block) => (block.kind === 'heading' ? block.text : '')).join(' ')}`}
          onSelect={() => void navigate({ to: '/help/{-$page}', params: { page: name } })}
        />
      ))}
    </PaletteGroup>
  )
}
