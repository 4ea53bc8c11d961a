/**
 * The configuration of a process, made from its settings. Each part declares its own in a `settings.ts` beside it; they
 * are joined here.
 */
import { httpConfig, httpSettings } from './http/settings.ts'
import { accountsConfig, accountsSettings } from './modules/accounts/settings.ts'
import { agentsConfig, agentsSettings } from './modules/agents/settings.ts'
import { alarmsConfig, alarmsSettings } from './modules/alarms/settings.ts'
import { backupsConfig, backupsSettings } from './modules/backups/settings.ts'
import { billingConfig, billingSettings } from './modules/billing/settings.ts'
import { certificatesConfig, certificatesSettings } from './modules/certificates/settings.ts'
import { clustersConfig, clustersSettings } from './modules/clusters/settings.ts'
import { computeConfig, computeSettings } from './modules/compute/settings.ts'
import { dnsConfig, dnsSettings } from './modules/dns/settings.ts'
import { doctorConfig, doctorSettings } from './modules/doctor/settings.ts'
import { domainsConfig, domainsSettings } from './modules/domains/settings.ts'
import { edgeConfig, edgeSettings } from './modules/edge/settings.ts'
import { identityConfig, identitySettings } from './modules/identity/settings.ts'
import { mailConfig, mailSettings } from './modules/mail/settings.ts'
import { paymentsConfig, paymentsSettings } from './modules/payments/settings.ts'
import { relayConfig, relaySettings } from './modules/relay/settings.ts'
import { rightsConfig, rightsSettings } from './modules/rights/settings.ts'
import { selfBackupConfig, selfBackupSettings } from './modules/self-backup/settings.ts'
import { staffConfig, staffSettings } from './modules/staff/settings.ts'
import { vaultConfig, vaultSettings } from './modules/vault/settings.ts'
import { s3Settings } from './platform/drivers/s3/s3-settings.ts'
import { platformConfig, platformSettings } from './platform/settings/platform-settings.ts'
import { describeSettings, listSecretFiles, readSettings } from './platform/settings/read-settings.ts'
import type { SettingTable, ValuesOf } from './platform/settings/setting.ts'

/** In the order of `--help`, under the headings of `docs/operator/settings.md`. */
export const settingGroups = {
  Deployment: { ...platformSettings, ...doctorSettings },
  'Addresses and limits': httpSettings,
  Accounts: { ...accountsSettings, ...identitySettings, ...rightsSettings },
  Mail: mailSettings,
  'Seen from outside': alarmsSettings,
  'Instances and agents': { ...computeSettings, ...clustersSettings, ...agentsSettings },
  Edge: edgeSettings,
  'Customer domains': { ...dnsSettings, ...domainsSettings },
  Certificates: certificatesSettings,
  Relay: relaySettings,
  Backups: { ...s3Settings, ...vaultSettings, ...backupsSettings },
  'Backup of the deployment': selfBackupSettings,
  Payments: { ...paymentsSettings, ...billingSettings },
  "The operator's area": staffSettings,
}

export const settings = {
  ...settingGroups.Deployment,
  ...settingGroups['Addresses and limits'],
  ...settingGroups.Accounts,
  ...settingGroups.Mail,
  ...settingGroups['Seen from outside'],
  ...settingGroups['Instances and agents'],
  ...settingGroups.Edge,
  ...settingGroups['Customer domains'],
  ...settingGroups.Certificates,
  ...settingGroups.Relay,
  ...settingGroups.Backups,
  ...settingGroups['Backup of the deployment'],
  ...settingGroups.Payments,
  ...settingGroups["The operator's area"],
} satisfies SettingTable

/** The server's configuration, parsed; addresses without a trailing slash. */
export type Config = ReturnType<typeof loadConfig>

/**
 * Reads the settings from `env`; relative paths are resolved against `root`. Throws `ConfigError` naming what cannot be
 * used.
 */
export function loadConfig(env: Readonly<Record<string, string | undefined>>, root: string) {
  const config = toConfig(readSettings(settings, env, root), root)
  /** Files that hold secrets, absolute. */
  const secretFiles: readonly string[] = listSecretFiles(settings, env, root)
  return { ...config, secretFiles }
}

function toConfig(values: ValuesOf<typeof settings>, root: string) {
  const platform = platformConfig(values, root)
  const http = httpConfig(values)
  const agents = agentsConfig(values, { ...platform, ...http })
  const edge = edgeConfig(values, { isHttps: values.ATOLL_EDGE_TLS_PORT !== undefined })
  return {
    ...platform,
    ...http,
    ...agents,
    ...edge,
    ...dnsConfig(values, edge),
    ...doctorConfig(values),
    ...domainsConfig(values),
    ...certificatesConfig(values),
    ...accountsConfig(values),
    ...rightsConfig(values),
    ...staffConfig(values),
    ...identityConfig(values),
    ...alarmsConfig(values),
    ...mailConfig(values, { ...platform, ...http, root }),
    ...computeConfig(values, root),
    ...clustersConfig(values),
    ...paymentsConfig(values),
    ...billingConfig(values, platform),
    ...vaultConfig(values, { ...platform, root }),
    ...backupsConfig(values),
    ...selfBackupConfig(values, { ...platform, root }),
    ...relayConfig(values, { ...agents, ...edge, edgeUrl: values.ATOLL_EDGE_URL }),
  }
}

/**
 * Reads secrets from files again, into `config`, whose readers look at each use: database, mail server, gateway and the
 * token of /metrics. Any other setting needs a restart. Returns the names of changed settings; throws `ConfigError` and
 * changes nothing where one cannot be read.
 */
export function rereadSecrets(
  config: Config,
  env: Readonly<Record<string, string | undefined>>,
  root: string,
): string[] {
  const fresh = loadConfig(env, root)
  const changed: string[] = []
  for (const [name, key] of [
    ['DATABASE_URL', 'databaseUrl'],
    ['ATOLL_SMTP_URL', 'smtpUrl'],
    ['ATOLL_METRICS_TOKEN', 'metricsToken'],
  ] as const) {
    if (config[key] === fresh[key]) continue
    config[key] = fresh[key]
    changed.push(name)
  }
  const [now, next] = [config.payments, fresh.payments]
  if (now.gateway === 'stripe' && next.gateway === 'stripe') {
    if (now.secretKey !== next.secretKey) changed.push('ATOLL_STRIPE_SECRET_KEY')
    if (now.webhookSecret !== next.webhookSecret) changed.push('ATOLL_STRIPE_WEBHOOK_SECRET')
    Object.assign(now, next)
  }
  return changed
}

/** The output of `--help`. */
export function settingsHelp(): string {
  return [
    'Usage: npm start [-- --roles api,worker,edge,dns,vault]',
    '       npm start -- migrate    brings the database up to date and ends',
    '       npm start -- pending    says what that would do and ends',
    '       npm start -- --help     prints this and ends',
    '',
    'npm run admin (accounts, strays), audit:verify, catalog:check, backup:self, backup:verify-self and',
    'backup:restore-self read the same settings.',
    '',
    'The console describes its API at /openapi.json (OpenAPI 3.1).',
    '',
    'Settings, from the environment:',
    ...describeSettings(settings),
    '',
  ].join('\n')
}
