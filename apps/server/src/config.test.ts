import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { loadConfig, rereadSecrets, settings, settingsHelp } from './config.ts'
import { ConfigError, findUnknownSettings } from './platform/settings/read-settings.ts'

const load = (env: Record<string, string>) => loadConfig(env, '/project')

describe('settings', () => {
  it('have defaults that work together', () => {
    const config = load({})
    expect(config).toMatchObject({
      dataDir: '/project/.data',
      catalogFile: '/project/catalog.yaml',
      port: 4800,
      publicUrl: 'http://localhost:4800',
      walletUrl: 'http://localhost:4801',
      controlUrl: 'http://127.0.0.1:4800',
      roles: ['api', 'worker', 'edge', 'dns', 'vault'],
      nameDomains: ['atoll.test'],
      databaseUrl: undefined,
    })
    expect(config.clusterUrl('reef')).toBe('http://reef.atoll.localhost:4802')
  })

  it('follow one another: a port moves the addresses made from it', () => {
    const config = load({ ATOLL_PORT: '5000', ATOLL_EDGE_PORT: '80', ATOLL_EDGE_DOMAIN: 'example.org' })
    expect(config.publicUrl).toBe('http://localhost:5000')
    expect(config.controlUrl).toBe('http://127.0.0.1:5000')
    expect(config.clusterUrl('reef')).toBe('http://reef.example.org')
  })

  it('take an address without its last slash, and an empty value as none', () => {
    expect(load({ ATOLL_PUBLIC_URL: 'https://console.example.org/', DATABASE_URL: '' })).toMatchObject({
      publicUrl: 'https://console.example.org',
      chinaUrl: 'https://console.example.org',
      databaseUrl: undefined,
    })
  })

  it('put clusters behind a proxy that speaks TLS', () => {
    expect(
      load({ ATOLL_EDGE_URL: 'https://clusters.example.org', ATOLL_EDGE_DOMAIN: 'clusters.example.org' }).clusterUrl(
        'reef',
      ),
    ).toBe('https://reef.clusters.example.org')
  })

  it('customers’ hosts are at the edge’s port, or at that of HTTPS where it speaks that itself', () => {
    const host = 'lena.reef.example'
    const https = { ATOLL_EDGE_TLS_PORT: '4443', ATOLL_ACME_DIRECTORY: 'https://ca.example/directory' }
    const proxied = { ATOLL_EDGE_URL: 'https://clusters.example.org', ATOLL_EDGE_DOMAIN: 'clusters.example.org' }
    expect(load({}).customUrl(host)).toBe(`http://${host}:4802`)
    expect(load(https).customUrl(host)).toBe(`https://${host}`)
    expect(load(proxied).customUrl(host)).toBe(`https://${host}`)
  })

  it('accept the address of a socket folder', () => {
    const url = 'postgresql://app@/atoll?host=%2Ftmp%2Fsockets'
    expect(load({ DATABASE_URL: url }).databaseUrl).toBe(url)
  })

  it.each([
    ['ATOLL_PORT', 'eighty'],
    ['ATOLL_PORT', '70000'],
    ['ATOLL_ROLES', 'api,cook'],
    ['ATOLL_ROLES', ','],
    ['ATOLL_SECRET_KEY', 'short'],
    ['ATOLL_PUBLIC_URL', 'ftp://example.org'],
    ['DATABASE_URL', 'mysql://example.org/atoll'],
    ['ATOLL_EDGE_DOMAIN', 'Not A Host'],
    ['ATOLL_SESSION_DAYS', '-1'],
    ['ATOLL_CAN_CREATE_CLUSTER', 'perhaps'],
    ['ATOLL_LOG_LEVEL', 'loud'],
  ])('name %s when it is %s', (name, value) => {
    expect(() => load({ [name]: value })).toThrow(new RegExp(`^${name}: `))
  })

  it('report all that is wrong at once', () => {
    expect(() => load({ ATOLL_PORT: 'x', ATOLL_HOST: 'y', ATOLL_WALLET_PORT: 'z' })).toThrow(ConfigError)
    expect(() => load({ ATOLL_PORT: 'x', ATOLL_WALLET_PORT: 'z' })).toThrow(/ATOLL_PORT: .*\nATOLL_WALLET_PORT: /)
  })

  it('name those that contradict each other, or need another', () => {
    expect(() => load({ ATOLL_EDGE_URL: 'https://clusters.example.org' })).toThrow(
      /^ATOLL_EDGE_URL: its host is clusters\.example\.org, but ATOLL_EDGE_DOMAIN is atoll\.localhost/,
    )
    expect(() => load({ ATOLL_ROLES: 'worker,edge' })).toThrow(/^ATOLL_CONTROL_URL: a worker without api needs it/)
    expect(load({ ATOLL_ROLES: 'edge' }).roles).toEqual(['edge'])
    expect(load({ ATOLL_ROLES: 'worker', ATOLL_CONTROL_URL: 'http://api:4800' }).controlUrl).toBe('http://api:4800')
  })

  it('take a secret from a file as well, and from one place', () => {
    const folder = mkdtempSync(join(tmpdir(), 'atoll-config-'))
    try {
      const file = join(folder, 'key')
      writeFileSync(file, `${'k'.repeat(40)}\n`)
      const env = { ATOLL_SECRET_KEY_FILE: file }
      expect(load(env).secretKey).toBe('k'.repeat(40))
      expect(findUnknownSettings(settings, env)).toEqual([])
      expect(() => load({ ...env, ATOLL_SECRET_KEY: 'x'.repeat(40) })).toThrow(/^ATOLL_SECRET_KEY_FILE: .*set one/)
      expect(() => load({ DATABASE_URL_FILE: join(folder, 'none') })).toThrow(/^DATABASE_URL_FILE: ENOENT/)
      writeFileSync(file, 'short')
      expect(() => load(env)).toThrow(/^ATOLL_SECRET_KEY: must have/)
      writeFileSync(file, ' \n')
      expect(() => load({ DATABASE_URL_FILE: file })).toThrow(/^DATABASE_URL_FILE: the file is empty/)
      expect(findUnknownSettings(settings, { ATOLL_PORT_FILE: file })).toEqual(['ATOLL_PORT_FILE'])
    } finally {
      rmSync(folder, { recursive: true })
    }
  })

  it('do not echo a secret that is malformed', () => {
    expect(() => load({ ATOLL_SECRET_KEY: 'hunter2' })).toThrow(
      expect.not.objectContaining({ message: expect.stringContaining('hunter2') }),
    )
  })

  it('point out names that look like ours and are not', () => {
    expect(
      findUnknownSettings(settings, { ATOLL_PROT: '1', ATOLL_PORT: '1', ATOLL_AGENT_HOME: '/x', PATH: '/bin' }),
    ).toEqual(['ATOLL_PROT'])
  })

  it('are all in the help', () => {
    for (const name of Object.keys(settings)) expect(settingsHelp()).toContain(`  ${name}\n`)
  })

  it('of TLS for the vault need each other and an address', () => {
    const files = { ATOLL_VAULT_TLS_CERT: 'tls/cert.pem', ATOLL_VAULT_TLS_KEY: '/tls/key.pem' }
    expect(() => load({ ATOLL_VAULT_TLS_CERT: 'x' })).toThrow('ATOLL_VAULT_TLS_KEY: is missing')
    expect(() => load({ ATOLL_VAULT_TLS_KEY: 'x' })).toThrow('ATOLL_VAULT_TLS_CERT: is missing')
    expect(() => load(files)).toThrow('ATOLL_VAULT_URL: must begin with https')
    expect(load({ ...files, ATOLL_VAULT_URL: 'https://vault.example' }).vaultTls).toEqual({
      certificate: '/project/tls/cert.pem',
      key: '/tls/key.pem',
    })
    expect(load({}).vaultTls).toBeUndefined()
  })

  it('of a bucket for backups need its key', () => {
    const bucket = { ATOLL_VAULT_BUCKET: 'vault', ATOLL_S3_ACCESS_KEY_ID: 'id' }
    expect(() => load(bucket)).toThrow('ATOLL_S3_SECRET_ACCESS_KEY: is missing; ATOLL_VAULT_BUCKET is set')
    expect(() => load({ ...bucket, ATOLL_VAULT_BUCKET: '../vault' })).toThrow('must be the name of a bucket')
    expect(load({ ...bucket, ATOLL_S3_SECRET_ACCESS_KEY: 'x', ATOLL_S3_REGION: 'eu-west-3' }).vaultBucket).toEqual({
      url: 'https://s3.eu-west-3.amazonaws.com',
      region: 'eu-west-3',
      bucket: 'vault',
      accessKeyId: 'id',
      secretAccessKey: 'x',
    })
    expect(load({}).vaultBucket).toBeUndefined()
  })
})

it('takes over secrets whose files changed, names them, and keeps all where one cannot be read', () => {
  const folder = mkdtempSync(join(tmpdir(), 'atoll-secrets-'))
  try {
    const write = (name: string, text: string) => writeFileSync(join(folder, name), text)
    const env = {
      DATABASE_URL_FILE: join(folder, 'database'),
      ATOLL_SMTP_URL_FILE: join(folder, 'mail'),
      ATOLL_METRICS_TOKEN: 'a token that no file holds',
      ATOLL_PAYMENT_GATEWAY: 'stripe',
      ATOLL_STRIPE_SECRET_KEY_FILE: join(folder, 'stripe'),
      ATOLL_STRIPE_WEBHOOK_SECRET: 'whsec_some',
    }
    write('database', 'postgres://atoll:one@db/atoll')
    write('mail', 'smtps://atoll:one@mail.example')
    write('stripe', 'sk_test_one')
    const config = loadConfig(env, '/project')
    const { payments } = config
    expect(rereadSecrets(config, env, '/project')).toEqual([])
    write('database', 'postgres://atoll:two@db/atoll')
    write('stripe', 'sk_test_two')
    write('mail', '')
    expect(() => rereadSecrets(config, env, '/project')).toThrow('ATOLL_SMTP_URL_FILE: the file is empty')
    expect(config.databaseUrl).toBe('postgres://atoll:one@db/atoll')
    write('mail', 'smtps://atoll:two@mail.example')
    expect(rereadSecrets(config, env, '/project')).toEqual([
      ...['DATABASE_URL', 'ATOLL_SMTP_URL', 'ATOLL_STRIPE_SECRET_KEY'],
    ])
    expect(config).toMatchObject({
      databaseUrl: 'postgres://atoll:two@db/atoll',
      smtpUrl: 'smtps://atoll:two@mail.example',
    })
    // Parts that were given the config at the start read the new value.
    expect(payments).toMatchObject({ secretKey: 'sk_test_two', webhookSecret: 'whsec_some' })
  } finally {
    rmSync(folder, { recursive: true })
  }
})
