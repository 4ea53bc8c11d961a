import classes from './DnsCheck.module.css'
import type { Part } from './mark-letters.ts'

interface MarkedLettersProps {
  parts: readonly Part[]
  /** `wrong`: as it is; `right`: as it should be. */
  tone: 'wrong' | 'right'
}

/** A value with the letters underlined that differ. */
export function MarkedLetters({ parts, tone }: MarkedLettersProps) {
  return (
    <code className={classes.letters}>
      {parts.map(({ text, differs }, index) =>
        differs ? (
          // biome-ignore lint/suspicious/noArrayIndexKey: a part is where it stands
          <mark key={index} data-tone={tone}>
            {text}
          </mark>
        ) : (
          text
        ),
      )}
    </code>
  )
}
