import { useEffectEvent, useLayoutEffect, useState } from 'react'
import { showToast } from '../../data/show-toast.ts'
import { LazyPart } from '../../kit/page/LazyPart.tsx'
import { PartBoundary } from '../../kit/page/PartBoundary.tsx'
import { text } from '../../locales/text.ts'
import type { Account } from '../../session/account.ts'
import { commandOf } from './shortcuts.ts'

/** Which of the two is open. */
export type Command = 'palette' | 'shortcuts' | undefined

export const loadPalette = () => import('./CommandPalette.tsx').then((module) => module.CommandPalette)
const loadShortcuts = () => import('./ShortcutsDialog.tsx').then((module) => module.ShortcutsDialog)

interface CommandsProps {
  account: Account
  opened: Command
  onOpen: (command: Command) => void
}

/** Listens for the keys; palette and help load when first asked for. */
export function Commands({ account, opened, onOpen }: CommandsProps) {
  const onKey = useEffectEvent((event: KeyboardEvent) => {
    const command = commandOf(event)
    if (!command) return
    // Elsewhere the browser would open its own search.
    event.preventDefault()
    onOpen(opened === command ? undefined : command)
  })
  // With the page, not after it has been painted: a visible page may be pressed.
  useLayoutEffect(() => {
    const listen = (event: KeyboardEvent) => onKey(event)
    addEventListener('keydown', listen)
    return () => removeEventListener('keydown', listen)
  }, [])
  const [broken, setBroken] = useState(0)
  const close = () => onOpen(undefined)
  function giveUp() {
    close()
    setBroken(broken + 1)
    showToast({ kind: 'failure', text: text('failure.unknown') })
  }
  return (
    <PartBoundary key={broken} onBroken={giveUp}>
      <LazyPart
        load={loadPalette}
        wanted={opened === 'palette'}
        onFailure={close}
        props={{
          account,
          opened: opened === 'palette',
          onClose: close,
          onShortcuts: () => onOpen('shortcuts'),
        }}
      />
      <LazyPart
        load={loadShortcuts}
        wanted={opened === 'shortcuts'}
        onFailure={close}
        props={{ opened: opened === 'shortcuts', onClose: close }}
      />
    </PartBoundary>
  )
}
