import '@mantine/core/styles/Overlay.layer.css'
import '@mantine/core/styles/ModalBase.layer.css'
import '@mantine/core/styles/Modal.layer.css'
import { ReturnFocus } from '@atoll/ui'
import { Modal } from '@mantine/core'
import { IconSearch } from '@tabler/icons-react'
import { type KeyboardEvent, useEffect, useEffectEvent, useId, useLayoutEffect, useRef, useState } from 'react'
import { useText } from '../../locales/text.ts'
import type { Account } from '../../session/account.ts'
import classes from './CommandPalette.module.css'
import { PaletteAccounts } from './PaletteAccounts.tsx'
import { PaletteBackups } from './PaletteBackups.tsx'
import { PaletteClusters } from './PaletteClusters.tsx'
import { PaletteHelp } from './PaletteHelp.tsx'
import { PaletteDomains, PaletteInvoices, PaletteRecent } from './PaletteObjects.tsx'
import { PalettePlaces } from './PalettePlaces.tsx'
import { PaletteSettings } from './PaletteSettings.tsx'
import { PaletteContext, type PaletteState } from './palette-context.ts'
import { queryWords } from './palette-match.ts'

interface CommandPaletteProps {
  account: Account
  opened: boolean
  onClose: () => void
  onShortcuts: () => void
}

/**
 * Go anywhere, act on a cluster, change a setting: by typing. Focus stays in the field, the arrow keys move the
 * choice.
 */
export function CommandPalette({ opened, onClose, ...props }: CommandPaletteProps) {
  const t = useText()
  // The chosen target takes focus itself: a page its heading, a dialog its field.
  const [chosen, setChosen] = useState(false)
  return (
    <Modal.Root
      opened={opened}
      onClose={onClose}
      returnFocus={false}
      size={560}
      radius="xl"
      // Not `className` of the content: Mantine gives that to the box around it too.
      classNames={{ inner: classes.around ?? '', content: classes.palette ?? '' }}
      shadow="xl"
      yOffset="12vh"
      transitionProps={{ duration: 180, transition: 'fade' }}
    >
      <Modal.Overlay color="var(--atoll-scrim)" backgroundOpacity={1} />
      <Modal.Content aria-label={t('palette.name')}>
        <ReturnFocus wanted={!chosen} />
        <PaletteBody
          {...props}
          choose={(act) => {
            setChosen(true)
            onClose()
            act()
          }}
          onShown={() => setChosen(false)}
        />
      </Modal.Content>
    </Modal.Root>
  )
}

interface PaletteBodyProps {
  account: Account
  choose: PaletteState['choose']
  onShortcuts: () => void
  /** It is opened again. */
  onShown: () => void
}

function PaletteBody({ account, choose, onShortcuts, onShown }: PaletteBodyProps) {
  const t = useText()
  const listId = useId()
  const list = useRef<HTMLDivElement>(null)
  const [query, setQuery] = useState('')
  const [activeId, setActive] = useState<string>()
  const [isEmpty, setEmpty] = useState(false)
  const listOptions = () => [...(list.current?.querySelectorAll<HTMLElement>('[role=option]') ?? [])]
  // Commands that are unavailable now are shown with their reason, and cannot be chosen.
  const listChoices = () => listOptions().filter((option) => option.ariaDisabled !== 'true')

  const shown = useEffectEvent(onShown)
  useEffect(() => shown(), [])

  // The offers change with the typed text and with the clusters: the choice is always one that is there.
  useLayoutEffect(() => {
    setEmpty(listOptions().length === 0)
    const options = listChoices()
    if (!options.some(({ id }) => id === activeId)) setActive(options[0]?.id)
  })

  function move(by: number | 'first' | 'last') {
    const options = listChoices()
    const at = options.findIndex(({ id }) => id === activeId)
    const last = options.length - 1
    const next = by === 'first' ? 0 : by === 'last' ? last : at + by > last ? 0 : at + by < 0 ? last : at + by
    setActive(options[next]?.id)
    options[next]?.scrollIntoView({ block: 'nearest' })
  }

  function onKeyDown(event: KeyboardEvent) {
    // Enter that ends a composition chooses its characters.
    if (event.nativeEvent.isComposing) return
    const moves: Record<string, Parameters<typeof move>[0]> = {
      ArrowDown: 1,
      ArrowUp: -1,
      PageUp: 'first',
      PageDown: 'last',
    }
    const by = moves[event.key]
    if (by !== undefined) move(by)
    else if (event.key === 'Enter')
      listChoices()
        .find(({ id }) => id === activeId)
        ?.click()
    else return
    event.preventDefault()
  }

  return (
    <PaletteContext value={{ words: queryWords(query), activeId, setActive, choose }}>
      <div className={classes.field}>
        <IconSearch size={18} stroke={1.6} aria-hidden="true" />
        <input
          data-autofocus
          className={classes.input}
          role="combobox"
          aria-expanded="true"
          aria-controls={listId}
          aria-activedescendant={activeId}
          aria-autocomplete="list"
          aria-label={t('palette.name')}
          placeholder={t('shell.search')}
          value={query}
          onChange={(event) => {
            setQuery(event.currentTarget.value)
            setActive(undefined)
          }}
          onKeyDown={onKeyDown}
          maxLength={200}
          autoComplete="off"
          autoCapitalize="off"
          spellCheck={false}
        />
        <kbd className={classes.key}>Esc</kbd>
      </div>
      <div ref={list} id={listId} role="listbox" aria-label={t('palette.results')} className={classes.list}>
        <PaletteRecent userid={account.userid} />
        <PaletteClusters userid={account.userid} />
        <PalettePlaces />
        <PaletteBackups />
        <PaletteDomains />
        <PaletteInvoices />
        {!account.look && <PaletteAccounts account={account} />}
        <PaletteHelp />
        <PaletteSettings onShortcuts={onShortcuts} />
      </div>
      <p role="status" className={classes.none} data-shown={isEmpty || undefined}>
        {isEmpty && t('palette.nothing', { query })}
      </p>
    </PaletteContext>
  )
}
