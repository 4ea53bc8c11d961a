import { type Icon, IconCornerDownLeft } from '@tabler/icons-react'
import { useId } from 'react'
import classes from './CommandPalette.module.css'
import { usePalette } from './palette-context.ts'
import { holdsWords, markWords } from './palette-match.ts'

interface PaletteOptionProps {
  icon: Icon
  label: string
  lang?: string
  /** Quiet, after the label; not searched. */
  hint?: string | undefined
  /** Search words besides its label. */
  keywords?: string | undefined
  /** Why it cannot be chosen now; it stays findable, so that the reason is. */
  disabledReason?: string | undefined
  onSelect: () => void
}

/** One line of the palette; nothing when it does not hold what was typed. */
export function PaletteOption({
  icon: Icon,
  label,
  lang,
  hint,
  keywords,
  disabledReason,
  onSelect,
}: PaletteOptionProps) {
  const id = useId()
  const { words, activeId, setActive, choose } = usePalette()
  if (!holdsWords(`${label} ${keywords ?? ''}`, words)) return null
  const blocked = disabledReason !== undefined
  return (
    // biome-ignore lint/a11y/useFocusableInteractive: focus stays in the field, which names the active option
    // biome-ignore lint/a11y/useKeyWithClickEvents: the field's Enter clicks the active option
    <div
      id={id}
      role="option"
      className={classes.option}
      aria-selected={id === activeId}
      aria-disabled={blocked || undefined}
      onPointerMove={blocked ? undefined : () => setActive(id)}
      onClick={blocked ? undefined : () => choose(onSelect)}
    >
      <Icon className={classes.icon} size={18} stroke={1.6} aria-hidden="true" />
      <span className={classes.words}>
        <span lang={lang}>
          {markWords(label, words).map((part) => (part.found ? <b key={part.at}>{part.text}</b> : part.text))}
        </span>
        {(disabledReason ?? hint) && <span className={classes.hint}>{disabledReason ?? hint}</span>}
      </span>
      {!blocked && <IconCornerDownLeft className={classes.enter} size={14} stroke={1.6} aria-hidden="true" />}
    </div>
  )
}
