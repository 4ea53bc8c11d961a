import classes from './WordGrid.module.css'

interface WordGridProps {
  /** Read while drawing and not kept; absent while covered. */
  words: readonly string[] | undefined
}

const cells = Array.from({ length: 12 }, (_, index) => index)

/** Twelve numbered words in two columns, read down; without words, the same grid of blanks. */
export function WordGrid({ words }: WordGridProps) {
  return (
    <ol className={classes.grid} data-covered={!words || undefined} translate="no">
      {cells.map((index) => (
        <li key={index} className={classes.cell}>
          <span className={classes.number}>{index + 1}</span>
          {words?.[index] ?? <span className={classes.blank} />}
        </li>
      ))}
    </ol>
  )
}
