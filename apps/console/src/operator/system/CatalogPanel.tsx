import { catalogApply, catalogShow } from '@atoll/contract/staff'
import { Button } from '@mantine/core'
import { Panel } from '../../billing/shared/Panel.tsx'
import { serverNow } from '../../config/runtime-config.ts'
import { useCall } from '../../data/use-call.ts'
import { confirm } from '../../kit/confirm/confirm.ts'
import { formatDayAndTimeWithin } from '../../kit/format/times.ts'
import { refusedButton } from '../../kit/menu/refused-button.ts'
import { LoadFailure } from '../../kit/page/LoadFailure.tsx'
import { useLocale, useText } from '../../locales/text.ts'
import { useOperatorsOnly } from '../approve/use-operators-only.ts'
import classes from './System.module.css'

/** How often the file is compared again, ms. */
const everyMs = 15_000

/** The catalogue in use, and how its file differs from it. */
export function CatalogPanel() {
  const t = useText()
  const locale = useLocale()
  const refusal = useOperatorsOnly()
  const { data, error, refetch } = useCall(catalogShow, {}, { refetchInterval: everyMs })
  if (!data && error) return <LoadFailure title={t('system.catalogError')} error={error} onRetry={refetch} />
  if (!data) return null
  const { isAsked, problem, change } = data
  const applied =
    change &&
    t('system.applied', {
      at: formatDayAndTimeWithin(change.appliedAt, serverNow(), locale),
      by: change.appliedBy ?? t('operator.byCommand'),
    })
  const ask = (from: string, to: string) =>
    confirm({
      title: t('system.applyTitle'),
      lost: [t('system.applyText')],
      keep: t('operator.cancel'),
      act: t('system.apply'),
      run: { call: catalogApply, body: { from, to }, onSuccess: () => void refetch() },
    })
  return (
    <Panel title={t('system.catalog')} note={applied ?? (isAsked ? undefined : t('system.catalogIsFile'))}>
      {problem !== null && <p className={`${classes.none} ${classes.bad}`}>{problem}</p>}
      {change?.difference === '' && <p className={classes.none}>{t('system.noDifference')}</p>}
      {change && change.difference !== '' && (
        <div className={classes.difference}>
          {/* biome-ignore lint/a11y/noNoninteractiveTabindex: it is scrolled by keys, too */}
          <section tabIndex={0} aria-label={t('system.difference')}>
            <pre>
              {change.difference.split('\n').map((line, at) => (
                // biome-ignore lint/suspicious/noArrayIndexKey: lines have no other name
                <span key={at} data-sign={line[0]}>
                  {line}
                  {'\n'}
                </span>
              ))}
            </pre>
          </section>
          <Button
            {...refusedButton(refusal)}
            onClick={refusal === undefined ? () => ask(change.from, change.to) : undefined}
          >
            {t('system.apply')}
          </Button>
        </div>
      )}
    </Panel>
  )
}
