import { unknownAmount, unreadableRows } from '@atoll/contract/wire'
import { useText } from '../../locales/text.ts'
import { FigureLine } from './FigureLine.tsx'

/** For each row of an answer that could not be read, in a sum, that it is there. */
export function UnreadableLines({ of }: { of: object | undefined }) {
  const t = useText()
  return Array.from({ length: unreadableRows(of) }, (_, at) => (
    // biome-ignore lint/suspicious/noArrayIndexKey: nothing else is known of them
    <FigureLine key={at} label={t('common.unreadable')} amount={unknownAmount} />
  ))
}
