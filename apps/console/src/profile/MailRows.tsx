import '@mantine/core/styles/Switch.layer.css'
import { type OptionalMail, userMails, userMailsChange } from '@atoll/contract/accounts'
import { Switch } from '@mantine/core'
import { useCall } from '../data/use-call.ts'
import { useCallMutation } from '../data/use-call-mutation.ts'
import { useLookRefusal } from '../kit/browser/use-change-refusal.ts'
import { LoadFailure } from '../kit/page/LoadFailure.tsx'
import { SettingRow, SettingRows } from '../kit/page/SettingRow.tsx'
import { useText } from '../locales/text.ts'
import classes from './ProfilePage.module.css'

/** A switch for each kind of mail that one may do without; the others always come. */
export function MailRows() {
  const t = useText()
  const { data, error, refetch } = useCall(userMails, {})
  const refused = useLookRefusal()
  if (!data && error) return <LoadFailure title={t('profile.mailsError')} error={error} onRetry={refetch} />
  if (!data) return null
  return (
    <section aria-labelledby="mails">
      <h2 id="mails" className={classes.heading}>
        {t('profile.mails')}
      </h2>
      <p className={classes.lead}>{refused ?? t('profile.mailsLead')}</p>
      <SettingRows>
        {data.mails.map((each) => (
          <MailRow key={each.mail} {...each} isOff={refused !== undefined} />
        ))}
      </SettingRows>
    </section>
  )
}

interface MailRowProps {
  mail: OptionalMail
  isOn: boolean
  /** It cannot be changed now. */
  isOff: boolean
}

function MailRow({ mail, isOn, isOff }: MailRowProps) {
  const t = useText()
  const change = useCallMutation(userMailsChange, { toast: true })
  const title = t(`profile.mail.${mail}`)
  return (
    <SettingRow title={title} text={t(`profile.mailHelp.${mail}`)}>
      <Switch
        aria-label={title}
        disabled={isOff}
        checked={change.isPending ? !isOn : isOn}
        onChange={({ currentTarget: { checked } }) => {
          if (!change.isPending) change.mutate({ mail, isOn: checked })
        }}
      />
    </SettingRow>
  )
}
