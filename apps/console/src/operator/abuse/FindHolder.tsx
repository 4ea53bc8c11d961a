import { abuseFind } from '@atoll/contract/staff'
import { displayName } from '@atoll/contract/wire'
import { Button, TextInput } from '@mantine/core'
import { Link } from '@tanstack/react-router'
import { type FormEvent, useState } from 'react'
import { Panel } from '../../billing/shared/Panel.tsx'
import { useCall } from '../../data/use-call.ts'
import { UtcTimeInput } from '../../kit/form/UtcTimeInput.tsx'
import { problemsOf } from '../../kit/form/use-call-form.ts'
import { utcTime } from '../../kit/form/utc-time.ts'
import { formatDayAndTimeWithin } from '../../kit/format/times.ts'
import { FailureNotice } from '../../kit/page/FailureNotice.tsx'
import { useLocale, useText } from '../../locales/text.ts'
import classes from './Abuse.module.css'

/** Which cluster had a host or an address, at a time or ever within 90 days. */
export function FindHolder() {
  const t = useText()
  const locale = useLocale()
  const [what, setWhat] = useState('')
  const [at, setAt] = useState('')
  const [problem, setProblem] = useState<string>()
  const [asked, setAsked] = useState<{ what: string; at?: string }>()
  const { data, error } = useCall(abuseFind, asked ?? { what: '' }, { enabled: asked !== undefined })
  // As reports say it and as it is typed above.
  const time = (iso: string) => formatDayAndTimeWithin(iso, Date.now(), locale, 'UTC')
  function find(event: FormEvent) {
    event.preventDefault()
    const moment = utcTime(at)
    const wanted = { what: what.trim(), ...(moment !== undefined && { at: moment }) }
    const found = problemsOf(abuseFind, wanted, locale)['what']
    setProblem(found)
    if (found === undefined) setAsked(wanted)
  }
  return (
    <Panel title={t('operator.abuseFind')} note={t('operator.abuseFindNote')}>
      <form className={classes.find} onSubmit={find} noValidate>
        <TextInput
          label={t('operator.abuseHost')}
          value={what}
          error={problem}
          maxLength={500}
          spellCheck={false}
          autoComplete="off"
          onChange={(event) => setWhat(event.currentTarget.value)}
        />
        <UtcTimeInput label={t('operator.abuseAt')} value={at} onChange={setAt} />
        <Button type="submit">{t('operator.abuseLook')}</Button>
      </form>
      <FailureNotice error={error} />
      {asked && data && (
        <ul className={classes.holders} aria-live="polite">
          {data.holders.length === 0 && <li>{t('operator.abuseNobodyHad')}</li>}
          {data.holders.map((one) => (
            <li key={`${one.clusterId} ${one.value} ${one.from}`}>
              <Link
                className="link"
                to="/operator/{-$section}/{-$object}"
                params={{ section: 'customers', object: one.person.accountId }}
              >
                {displayName(one.person)}
              </Link>{' '}
              {one.until === null
                ? t('operator.abuseHas', { cluster: one.clusterName, value: one.value, from: time(one.from) })
                : t('operator.abuseHad', {
                    cluster: one.clusterName,
                    value: one.value,
                    from: time(one.from),
                    until: time(one.until),
                  })}
            </li>
          ))}
        </ul>
      )}
    </Panel>
  )
}
