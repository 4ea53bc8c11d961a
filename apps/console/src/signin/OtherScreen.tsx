import { type ReactNode, useState } from 'react'
import { useText } from '../locales/text.ts'
import classes from './SignInPanel.module.css'

interface OtherScreenProps {
  /** Open whatever was pressed: what became of the code is shown there, with what helps. */
  isNeeded: boolean
  /** The code. */
  children: ReactNode
}

/** The code on a phone, folded: another device can scan it. */
export function OtherScreen({ isNeeded, children }: OtherScreenProps) {
  const t = useText()
  const [isOpen, setOpen] = useState(false)
  return (
    <details
      open={isOpen || isNeeded}
      // A code unfolded without a press folds again once it is not needed.
      onToggle={({ currentTarget }) => isNeeded || setOpen(currentTarget.open)}
    >
      <summary className={classes.otherTitle} hidden={isNeeded}>
        {t('login.otherScreen')}
      </summary>
      <div className={classes.folded}>{children}</div>
    </details>
  )
}
