import { unreadableRows } from '@atoll/contract/wire'
import { useText } from '../i18n/text.ts'

/** For each entry of an answer that could not be read, below its list, that it is there. */
export function Unreadable({ of }: { of: object | undefined }) {
  const t = useText()
  return Array.from({ length: unreadableRows(of) }, (_, at) => (
    // biome-ignore lint/suspicious/noArrayIndexKey: nothing else is known of them
    <p key={at} className="small quiet">
      {t('app.unreadable')}
    </p>
  ))
}
