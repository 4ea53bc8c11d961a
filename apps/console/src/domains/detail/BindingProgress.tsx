import type { DomainDetail } from '@atoll/contract/domains'
import { StateBadge } from '@atoll/ui'
import { formatStopwatch } from '../../kit/format/stopwatch.ts'
import { useText } from '../../locales/text.ts'
import { HttpsState } from '../HttpsLine.tsx'
import classes from './dns-check/Cards.module.css'

/** Our own work at BINDING: the zone and each server that loads it, or the hosts. */
export function BindingProgress({ detail }: { detail: DomainDetail }) {
  const t = useText()
  const { https, zone, look } = detail
  const answering = new Map(
    look.verdicts.flatMap(({ kind, server, after }) => (kind === 'match' ? [[server, after] as const] : [])),
  )
  const rows: { text: string; isDone: boolean; after?: number | undefined }[] = zone
    ? [
        { text: t('domains.zoneWritten', { serial: zone.serial }), isDone: true },
        ...serversOf(detail).map((server) => {
          const isDone = answering.has(server)
          const text = t(isDone ? 'domains.serverAnswers' : 'domains.serverWaits', { server })
          return { text, isDone, after: answering.get(server) }
        }),
      ]
    : [{ text: t('domains.hostsWritten'), isDone: false }]
  return (
    <section className="box clip" aria-label={t('domains.progress')}>
      <ul className={classes.rows}>
        {rows.map(({ text, isDone, after }) => (
          <li key={text} className={classes.timed}>
            <StateBadge colour={isDone ? 'green' : 'amber'} shape={isDone ? 'disc' : 'ring'} bare>
              {text}
            </StateBadge>
            {after !== undefined && <span className="num">{formatStopwatch(after * 1000)}</span>}
          </li>
        ))}
        {(https.state === 'waiting' || https.state === 'valid') && (
          <li>
            <HttpsState https={https} named />
          </li>
        )}
      </ul>
    </section>
  )
}

/** As the wire writes them: `[ns1.example,ns2.example]`. */
function serversOf({ ns = '[]' }: DomainDetail): string[] {
  return ns.slice(1, -1).split(',').filter(Boolean)
}
