import { useNavigate } from '@tanstack/react-router'
import { useCreateWaits } from '../../billing/shared/use-create-waits.ts'
import { useCustomer } from '../../billing/shared/use-customer.ts'
import { useText } from '../../locales/text.ts'
import { useCurrentAccount } from '../../session/account-store.ts'
import {
  accountDestinations,
  createDestination,
  type Destination,
  mainDestinations,
  operatorDestination,
  sandboxDestination,
} from '../places/destinations.ts'
import { PaletteGroup } from './PaletteGroup.tsx'
import { PaletteOption } from './PaletteOption.tsx'

const places: readonly Destination[] = [...mainDestinations, createDestination, ...accountDestinations]

/** Everywhere one can go without naming a cluster. */
export function PalettePlaces() {
  const t = useText()
  const navigate = useNavigate()
  const waits = useCreateWaits()
  const isStaff = useCurrentAccount()?.staff != null
  const canTravel = useCustomer()?.canTravel ?? false
  return (
    <PaletteGroup title={t('palette.goTo')}>
      {[...places, ...(canTravel ? [sandboxDestination] : []), ...(isStaff ? [operatorDestination] : [])].map(
        ({ to, label, icon }) => (
          <PaletteOption
            key={to}
            icon={icon}
            label={t(label)}
            disabledReason={to === createDestination.to ? waits : undefined}
            onSelect={() => void navigate({ to })}
          />
        ),
      )}
    </PaletteGroup>
  )
}
