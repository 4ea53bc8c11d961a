import { userTimeZone } from '@atoll/contract/accounts'
import { NativeSelect } from '@mantine/core'
import { useCallMutation } from '../data/use-call-mutation.ts'
import { useLookRefusal } from '../kit/browser/use-change-refusal.ts'
import { readerZone } from '../kit/format/reader-zone.ts'
import { SettingRow } from '../kit/page/SettingRow.tsx'
import { useText } from '../locales/text.ts'
import type { Account } from '../session/account.ts'
import { editAccount } from '../session/account-store.ts'

/** The time zone in which the person reads deadlines, here and in mails. */
export function TimeZoneRow({ account: { userid, timeZone } }: { account: Account }) {
  const t = useText()
  const change = useCallMutation(userTimeZone, { toast: true })
  const refused = useLookRefusal()
  const zone = timeZone ?? readerZone()
  const zones = [...new Set([zone, ...Intl.supportedValuesOf('timeZone'), 'UTC'])].sort()
  return (
    <SettingRow title={t('profile.timeZone')} text={refused ?? t('profile.timeZoneHelp')}>
      <NativeSelect
        aria-label={t('profile.timeZone')}
        value={zone}
        disabled={change.isPending || refused !== undefined}
        onChange={({ currentTarget: { value } }) =>
          change.mutate({ timeZone: value }, { onSuccess: () => editAccount(userid, { timeZone: value }) })
        }
        data={zones}
      />
    </SettingRow>
  )
}
