import { useNavigate } from '@tanstack/react-router'
import { useText } from '../../locales/text.ts'
import { useCreateWaits } from '../../money/use-create-waits.ts'
import { accountDestinations, createDestination, type Destination, mainDestinations } from '../shell/destinations.ts'
import { PaletteGroup } from './PaletteGroup.tsx'
import { PaletteOption } from './PaletteOption.tsx'

const places: readonly Destination[] = [...mainDestinations, createDestination, ...accountDestinations]

/** Everywhere one can go without naming a cluster. */
export function PalettePlaces() {
  const t = useText()
  const navigate = useNavigate()
  const waits = useCreateWaits()
  return (
    <PaletteGroup title={t('palette.goTo')}>
      {places.map(({ to, label, icon }) => (
        <PaletteOption
          key={to}
          icon={icon}
          label={t(label)}
          disabledReason={to === createDestination.to ? waits : undefined}
          onSelect={() => void navigate({ to })}
        />
      ))}
    </PaletteGroup>
  )
}
