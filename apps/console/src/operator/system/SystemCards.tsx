import { mailResend, mailTest, ownBackupRun, type SystemView } from '@atoll/contract/staff'
import { formatBytes } from '@atoll/ui/i18n'
import { Button } from '@mantine/core'
import type { ReactNode } from 'react'
import { Panel } from '../../billing/shared/Panel.tsx'
import { serverNow } from '../../config/runtime-config.ts'
import { showToast } from '../../data/show-toast.ts'
import { useCallMutation } from '../../data/use-call-mutation.ts'
import { formatAgo, formatDayAndTimeWithin, formatUptime } from '../../kit/format/times.ts'
import { useLocale, useText } from '../../locales/text.ts'
import { OperatorButton } from '../parts/OperatorButton.tsx'
import { FactLine } from './FactLine.tsx'
import classes from './System.module.css'

interface SystemCardsProps {
  system: SystemView
  onChanged: () => void
}

const hourMs = 3_600_000
const dayMs = 24 * hourMs
/**
 * A backup of the deployment is old after three of its intervals, an hour each; a drill after 30 days; a certificate
 * has to be renewed with fewer than 21 days left.
 */
const oldMs = { backup: 3 * hourMs, drill: 30 * dayMs, certificate: 21 * dayMs }

/** The components that the deployment depends on, a card each. */
export function SystemCards(props: SystemCardsProps) {
  return (
    <div className={classes.cards}>
      <DatabaseCard {...props} />
      <BackupCard {...props} />
      <NamesCard {...props} />
      <CertificatesCard {...props} />
      <VaultCard {...props} />
      <MailCard {...props} />
    </div>
  )
}

function Card({ title, note, children }: { title: string; note?: ReactNode; children: ReactNode }) {
  return (
    <Panel title={title} note={note}>
      <ul className={classes.lines}>{children}</ul>
    </Panel>
  )
}

function DatabaseCard({ system: { database } }: SystemCardsProps) {
  const t = useText()
  const locale = useLocale()
  const { connections, maxConnections, behindSeconds, oldestTransactionSeconds: oldest } = database
  const lasting = (seconds: number) => formatUptime(seconds * 1000, locale)
  return (
    <Card title={t('system.postgres')} note={database.version}>
      <FactLine tone="green" title={t('system.size')} text={formatBytes(database.bytes, locale)} />
      <FactLine
        tone={connections > maxConnections * 0.9 ? 'amber' : 'green'}
        title={t('system.connections')}
        text={t('system.ofMost', { count: connections, most: maxConnections })}
      />
      <FactLine
        tone={behindSeconds === null ? 'grey' : behindSeconds > 60 ? 'amber' : 'green'}
        title={t('system.standby')}
        text={behindSeconds === null ? t('system.noStandby') : t('system.behind', { time: lasting(behindSeconds) })}
      />
      <FactLine tone={oldest > 600 ? 'amber' : 'green'} title={t('system.oldestTransaction')} text={lasting(oldest)} />
    </Card>
  )
}

function BackupCard({ system: { ownBackup }, onChanged }: SystemCardsProps) {
  const t = useText()
  const locale = useLocale()
  const run = useCallMutation(ownBackupRun, { toast: true, onSuccess: onChanged })
  const { isSetUp, canRun, takenAt, provenAt } = ownBackup
  const isOld = (at: string | null, ms: number) => at === null || serverNow() - Date.parse(at) > ms
  const ago = (at: string) => formatAgo(at, serverNow(), locale)
  return (
    <Card title={t('system.ownBackup')}>
      <FactLine
        tone={isOld(takenAt, oldMs.backup) ? 'coral' : 'green'}
        title={isSetUp ? t('system.newest') : t('system.notSetUp')}
        text={takenAt === null ? t('system.never') : ago(takenAt)}
      >
        {canRun && (
          <OperatorButton size="xs" onClick={() => run.mutate({})}>
            {t('system.backUpNow')}
          </OperatorButton>
        )}
      </FactLine>
      <FactLine
        tone={isOld(provenAt, oldMs.drill) ? 'amber' : 'green'}
        title={t('system.drill')}
        text={provenAt === null ? t('system.never') : ago(provenAt)}
      />
    </Card>
  )
}

function NamesCard({ system: { nameServers } }: SystemCardsProps) {
  const t = useText()
  return (
    <Card title={t('system.nameServers')}>
      {nameServers.length === 0 && <FactLine tone="grey" title={t('system.noNameServers')} />}
      {nameServers.map(({ server, isUp }) => (
        <FactLine
          key={server}
          tone={isUp ? 'green' : 'coral'}
          title={server}
          text={t(isUp ? 'system.answers' : 'system.noAnswer')}
        />
      ))}
    </Card>
  )
}

function CertificatesCard({ system: { certificates } }: SystemCardsProps) {
  const t = useText()
  const locale = useLocale()
  const { own, customers, failing, nextEnd } = certificates
  const until = (at: string) => t('system.until', { at: formatDayAndTimeWithin(at, serverNow(), locale) })
  const isEnding = (at: string) => Date.parse(at) - serverNow() < oldMs.certificate
  return (
    <Card title={t('system.certificates')}>
      {own.map(({ name, validUntil, problem }) => (
        <FactLine
          key={name}
          tone={validUntil === null || isEnding(validUntil) ? 'coral' : problem === null ? 'green' : 'amber'}
          title={name}
          text={validUntil === null ? t('system.awaited') : until(validUntil)}
        />
      ))}
      <FactLine
        tone={failing > 0 ? 'amber' : 'green'}
        title={t('system.ofCustomers', { count: customers })}
        text={[t('system.failing', { count: failing }), nextEnd && until(nextEnd)].filter(Boolean).join(' · ')}
      />
    </Card>
  )
}

function VaultCard({ system: { vault } }: SystemCardsProps) {
  const t = useText()
  const locale = useLocale()
  const late = vault.scrubLateSeconds
  return (
    <Card title={t('system.vault')}>
      <FactLine
        tone={vault.isAtReserve ? 'coral' : 'green'}
        title={t('system.kept', { size: formatBytes(vault.liveBytes, locale) })}
        text={
          vault.isAtReserve ? t('system.atReserve') : t('system.trash', { size: formatBytes(vault.trashBytes, locale) })
        }
      />
      <FactLine
        tone={vault.badFiles > 0 ? 'coral' : 'green'}
        title={t('system.badFiles', { count: vault.badFiles })}
        text={
          late > 86_400 ? t('system.scrubLate', { time: formatUptime(late * 1000, locale) }) : t('system.scrubOnTime')
        }
      />
    </Card>
  )
}

function MailCard({ system: { mail }, onChanged }: SystemCardsProps) {
  const t = useText()
  const locale = useLocale()
  const test = useCallMutation(mailTest, {
    toast: true,
    onSuccess: ({ to }) => showToast({ kind: 'success', text: t('system.testSent', { to }) }),
  })
  const resend = useCallMutation(mailResend, { toast: true, onSuccess: onChanged })
  return (
    <Card title={t('system.mail')}>
      <FactLine
        tone={mail.server === null ? 'amber' : 'green'}
        title={t('system.sentToday', { count: mail.sentToday })}
        text={[mail.server ?? t('system.toFiles'), t('system.mailsWait', { count: mail.waiting })].join(' · ')}
      >
        <Button size="xs" onClick={() => test.mutate({})}>
          {t('system.sendTest')}
        </Button>
      </FactLine>
      {mail.undelivered.length === 0 && <FactLine tone="green" title={t('system.allDelivered')} />}
      {mail.undelivered.map(({ mailId, kind, recipient, problem, at, canResend }) => (
        <FactLine
          key={mailId}
          tone="amber"
          title={t('system.mailTo', { kind, recipient })}
          text={`${problem ?? '…'} · ${formatDayAndTimeWithin(at, serverNow(), locale)}`}
        >
          {canResend && (
            <Button
              size="xs"
              aria-label={t('system.resendOf', { kind, recipient, id: mailId })}
              onClick={() => resend.mutate({ mailId })}
            >
              {t('system.resend')}
            </Button>
          )}
        </FactLine>
      ))}
    </Card>
  )
}
