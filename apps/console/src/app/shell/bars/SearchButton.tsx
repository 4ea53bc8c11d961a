import { UnstyledButton } from '@mantine/core'
import { IconSearch } from '@tabler/icons-react'
import { useText } from '../../../locales/text.ts'
import { commandKey } from '../../palette/shortcuts.ts'
import classes from './SearchButton.module.css'

interface SearchButtonProps {
  onOpen: () => void
  /** It will probably be pressed. */
  onIntent: () => void
}

/** Opens the command palette; looks like the field it opens, on a phone like an icon. */
export function SearchButton({ onOpen, onIntent }: SearchButtonProps) {
  const t = useText()
  return (
    <UnstyledButton
      className={classes.search}
      aria-keyshortcuts="Control+K Meta+K"
      aria-haspopup="dialog"
      onClick={onOpen}
      onPointerEnter={onIntent}
      onFocus={onIntent}
    >
      <IconSearch size={18} stroke={1.6} aria-hidden="true" />
      <span className={classes.words}>{t('shell.search')}</span>
      <span className={classes.keys} aria-hidden="true">{`${commandKey} K`}</span>
    </UnstyledButton>
  )
}
