import { useNavigate, useRouterState } from '@tanstack/react-router'
import { useText } from '../../locales/text.ts'
import { PaletteGroup } from './PaletteGroup.tsx'
import { PaletteOption } from './PaletteOption.tsx'
import { usePalette } from './palette-context.ts'
import { type PaletteObject, useObjectsAt, usePaletteDomains, usePaletteInvoices } from './palette-objects.ts'
import { readVisits } from './recent-objects.ts'

function Objects({ title, objects }: { title: string; objects: readonly PaletteObject[] }) {
  const navigate = useNavigate()
  return (
    <PaletteGroup title={title}>
      {objects.map(({ path, ...words }) => (
        <PaletteOption key={path} {...words} onSelect={() => void navigate({ to: path })} />
      ))}
    </PaletteGroup>
  )
}

/** Objects last looked at in this tab, but for the one that is shown now; they give way to what is typed. */
export function PaletteRecent({ userid }: { userid: string }) {
  const t = useText()
  const { words } = usePalette()
  const here = useRouterState({ select: ({ location }) => location.pathname })
  const isShown = words.length === 0
  const objects = useObjectsAt(isShown ? readVisits(userid).filter((path) => path !== here) : [])
  return isShown && <Objects title={t('palette.recent')} objects={objects} />
}

/** The account's domains. They appear once something is typed. */
export function PaletteDomains() {
  const t = useText()
  const isWanted = usePalette().words.length > 0
  const domains = usePaletteDomains(isWanted)
  return isWanted && <Objects title={t('shell.domains')} objects={domains} />
}

/** The account's invoices, by number. They appear once something is typed. */
export function PaletteInvoices() {
  const t = useText()
  const isWanted = usePalette().words.length > 0
  const invoices = usePaletteInvoices(isWanted)
  return isWanted && <Objects title={t('shell.bills')} objects={invoices} />
}
