import { unreadableRows } from '@atoll/contract/wire'
import { useText } from '../../locales/text.ts'
import classes from './UnreadableRows.module.css'

/** For each row of an answer that could not be read, in a list that is no table, that it is there. */
export function UnreadableRows({ of }: { of: object | undefined }) {
  const t = useText()
  return Array.from({ length: unreadableRows(of) }, (_, at) => (
    // biome-ignore lint/suspicious/noArrayIndexKey: nothing else is known of them
    <p key={at} className={classes.row}>
      {t('common.unreadable')}
    </p>
  ))
}
