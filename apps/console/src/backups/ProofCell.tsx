import type { Backup } from '@atoll/contract/backups'
import { IconShieldCheck, IconShieldExclamation } from '@tabler/icons-react'
import { serverNow } from '../config/runtime-config.ts'
import { formatAgo } from '../kit/format/times.ts'
import { CellLines } from '../kit/table/CellLines.tsx'
import { useLocale, useText } from '../locales/text.ts'
import classes from './Backups.module.css'

/** Read back within so long it counts as proved: each part is to be read within 30 days. ms */
export const freshMs = 30 * 24 * 3600_000

/** How old the proof of a backup is, as board 11 shows it in the list. */
export function ProofCell({ backup: { proof, snapshots } }: { backup: Backup }) {
  const t = useText()
  const locale = useLocale()
  const now = serverNow()
  const { readAt, drill, damage } = proof
  if (snapshots === 0 && !damage) return <span className="quiet">{t('backups.never')}</span>
  const ago = (at: string) => formatAgo(at, now, locale)
  const isFresh = readAt !== null && now - Date.parse(readAt) <= freshMs && drill?.passed !== false
  const read = readAt ? t('backups.readAgo', { ago: ago(readAt) }) : t('backups.notRead')
  const drilled = drill
    ? t(drill.passed ? 'backups.drillPassed' : 'backups.drillFailed', { ago: ago(drill.at) })
    : t('backups.noDrill')
  return (
    <span className={classes.proof} data-tone={damage ? 'coral' : isFresh ? 'green' : 'amber'}>
      <ProofMark isGood={isFresh && !damage} />
      <span>
        <CellLines main={damage ? t('backups.damaged') : read} second={drilled} />
      </span>
    </span>
  )
}

export function ProofMark({ isGood }: { isGood: boolean }) {
  const Icon = isGood ? IconShieldCheck : IconShieldExclamation
  return <Icon className={classes.mark} size={18} stroke={1.6} aria-hidden="true" />
}
