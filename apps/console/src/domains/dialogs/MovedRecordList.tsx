import { Button } from '@mantine/core'
import { Tag } from '../../kit/page/Tag.tsx'
import { useText } from '../../locales/text.ts'
import classes from './Dialogs.module.css'

interface MovedRecordListProps<Row> {
  records: readonly Row[]
  /** Left out by the person; undefined: nothing is to be chosen, as they end. */
  isLeft?: (record: Row) => boolean
  onToggle?: (record: Row) => void
}

/** Records of a domain that is handed over: those that are copied, to remove and to add again, or those that end. */
export function MovedRecordList<Row extends { type: string; name: string; value: string }>({
  records,
  isLeft,
  onToggle,
}: MovedRecordListProps<Row>) {
  const t = useText()
  if (records.length === 0) return null
  return (
    <ul className={classes.moveList}>
      {records.map((record) => {
        const { type, name, value } = record
        const isOut = isLeft?.(record)
        const named = { record: `${type} ${name} ${value}` }
        return (
          <li key={named.record}>
            <Tag>{type}</Tag>
            <span className={classes.moved}>
              <code>{name}</code>
              <code className="quiet">{value}</code>
            </span>
            <span className="tiny quiet">
              {t(isOut === undefined ? 'domains.movesEnd' : isOut ? 'domains.movesLeft' : 'domains.movesCopied')}
            </span>
            {onToggle && (
              <Button
                size="xs"
                aria-label={t(isOut ? 'domains.movesTakeNamed' : 'domains.movesDropNamed', named)}
                onClick={() => onToggle(record)}
              >
                {t(isOut ? 'domains.movesTake' : 'domains.movesDrop')}
              </Button>
            )}
          </li>
        )
      })}
    </ul>
  )
}
