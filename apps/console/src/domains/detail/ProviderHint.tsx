import type { DomainDetail, DomainRecord } from '@atoll/contract/domains'
import { useText } from '../../locales/text.ts'
import classes from './dns-check/Cards.module.css'
import { providerOf, trapOf, zoneOf } from './dns-providers.ts'

/** Where the zone of `record` is kept, what its name field takes, and its trap; nothing where that is not known. */
export function ProviderHint({ detail, record }: { detail: DomainDetail; record: DomainRecord }) {
  const t = useText()
  const provider = providerOf(detail, record)
  if (!provider) return null
  const zone = zoneOf(detail, record)
  const params = { zone, provider: t(`domains.provider.name.${provider.key}`) }
  const trap = trapOf(provider, record.type)
  return (
    <p className={classes.provider}>
      <b>{t('domains.provider.at', params)}</b> <span>{t(`domains.provider.takes.${provider.takes}`)}</span>{' '}
      {trap && <span>{t(`domains.provider.trap.${trap}`, { zone })} </span>}
      <a className="link" href={provider.help} target="_blank" rel="noreferrer">
        {t('domains.provider.help', params)}
      </a>
    </p>
  )
}
