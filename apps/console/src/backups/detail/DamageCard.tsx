import { type DamagedFile, mostDamagedListed } from '@atoll/contract/backups'
import { formatBytes } from '@atoll/ui/i18n'
import { serverNow } from '../../config/runtime-config.ts'
import { formatDayAndTimeWithin } from '../../kit/format/times.ts'
import { useLocale, useText } from '../../locales/text.ts'
import classes from './DamageCard.module.css'

/** The stored files that are not what was written, and what each is for (board 26). */
export function DamageCard({ damaged }: { damaged: readonly DamagedFile[] }) {
  const t = useText()
  const locale = useLocale()
  if (damaged.length === 0) return null
  const time = (at: string) => formatDayAndTimeWithin(at, serverNow(), locale)
  const inIt = ({ type, snapshotAt }: DamagedFile) =>
    snapshotAt === null ? t(`backups.inDamaged.${type}`) : t('backups.inDamaged.snapshotOf', { time: time(snapshotAt) })
  return (
    <section className="box" aria-labelledby="damaged">
      <div className={classes.head}>
        <h2 id="damaged">{t('backups.whatDamaged')}</h2>
        <span className="quiet">{t('backups.damagedHolds')}</span>
      </div>
      <ul className={classes.files}>
        {damaged.map((file) => (
          <li key={`${file.type}/${file.name}`}>
            <div>
              <code>{nameOf(file)}</code>
              <p className="tiny quiet">
                {t('backups.damagedStored', { size: formatBytes(file.bytes, locale), time: time(file.storedAt) })}
              </p>
            </div>
            <p>{inIt(file)}</p>
          </li>
        ))}
      </ul>
      {damaged.some(({ type }) => type === 'data') && <p className={classes.foot}>{t('backups.damagedFind')}</p>}
      {damaged.length === mostDamagedListed && <p className={classes.foot}>{t('backups.damagedMore')}</p>}
    </section>
  )
}

/** `data/9e41c0…07ba9e`: enough to find it by. */
function nameOf({ type, name }: DamagedFile): string {
  return name === type ? name : `${type}/${name.slice(0, 10)}…${name.slice(-4)}`
}
