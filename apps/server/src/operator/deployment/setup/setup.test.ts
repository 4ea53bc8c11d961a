import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { loadConfig } from '../../../config.ts'
import { parseCatalog } from '../../../modules/catalog/index.ts'
import { requireProductionDefaults } from '../../../modules/doctor/index.ts'
import { installRoot } from '../../../platform/install.ts'
import { type Plan, planSetup } from './plan.ts'
import { answerAll, type Given } from './questions.ts'

const shipped = readFileSync(join(installRoot, 'catalog.yaml'), 'utf8')
const least: Given = { console: 'console.atoll.example', base: 'reef.example', address: '203.0.113.10,2001:db8::1' }

async function planOf(given: Given): Promise<Plan> {
  const { answers, problems } = await answerAll({ ...least, ...given }, undefined)
  expect(problems).toEqual([])
  return planSetup(answers, shipped)
}
const textOf = ({ files }: Plan, path: string) => files.find((file) => file.path === path)?.text ?? ''

/** As systemd reads it; a secret's file has what the test says. */
function environmentOf(plan: Plan, role = 'api'): Record<string, string> {
  const lines = ['atoll', role].flatMap((name) => textOf(plan, `/etc/atoll/${name}.env`).trim().split('\n'))
  const pairs = lines
    .filter(Boolean)
    .map((line) => [line.slice(0, line.indexOf('=')), line.slice(line.indexOf('=') + 1)])
  return Object.fromEntries(
    pairs.map(([name = '', value = '']) =>
      name.endsWith('_FILE') && value.startsWith('/etc/atoll/') && !name.startsWith('ATOLL_SELF_BACKUP_PASSWORD')
        ? [name.slice(0, -5), plan.files.find(({ path }) => path === value)?.text ?? 'x'.repeat(40)]
        : [name, value],
    ),
  )
}

test.each<Given>([
  {},
  { https: 'proxy' },
  {
    smtp: 'smtps://user:password@mail.example',
    payment: 'stripe',
    'stripe-secret-key': 'sk_live_12',
    'stripe-webhook-secret': 'whsec_12',
  },
  { lxd: 'https://10.0.0.2:8443', 'control-address': '10.0.0.5' },
  { lxd: 'local' },
  { backup: 'sftp:backup@elsewhere:/atoll' },
])(
  'what is written for %j starts on a public address, and sells nothing that runs beside the server',
  async (given) => {
    const plan = await planOf(given)
    const config = loadConfig(environmentOf(plan), '/')
    const catalog = parseCatalog(textOf(plan, '/etc/atoll/catalog.yaml'), 'catalog.yaml')
    expect(() => requireProductionDefaults(config, catalog)).not.toThrow()
    expect(catalog.clouds.map(({ driver }) => driver)).toEqual(given.lxd === undefined ? [] : ['lxd'])
    expect(catalog.plans.length).toBeGreaterThan(0)
    expect(config.publicUrl).toBe('https://console.atoll.example')
    expect(config.edgeOwnHosts.size).toBe(given.https === 'proxy' ? 0 : 3)
    expect(
      plan.files.every(({ path, mode }) => (path.startsWith('/etc/atoll/') ? mode === 0o640 : mode === 0o644)),
    ).toBe(true)
  },
)

test('secrets stand in files of their own, and those made at random are kept where they are', async () => {
  const plan = await planOf({ smtp: 'smtps://user:hunter22@mail.example', backup: '/srv/copies' })
  expect(textOf(plan, '/etc/atoll/atoll.env')).not.toContain('hunter22')
  expect(textOf(plan, '/etc/atoll/smtp-url')).toContain('hunter22')
  const random = plan.files.filter(({ text }) => text === undefined)
  expect(random.map(({ path }) => path)).toEqual([
    '/etc/atoll/key',
    '/etc/atoll/metrics-token',
    '/etc/atoll/backup-password',
  ])
  expect(random.every(({ keeps }) => keeps)).toBe(true)
})

test('the records lead every name here and the challenge of the wildcard to our own zone', async () => {
  const { records } = await planOf({})
  const named = (type: string) => records.filter((record) => record.type === type).map(({ name }) => name)
  expect(named('A')).toEqual(named('AAAA'))
  expect(named('A')).toContain('*.reef.example')
  expect(records).toContainEqual({ name: 'challenges.atoll.example', type: 'NS', value: 'ns1.atoll.example' })
  expect(records.find(({ type }) => type === 'CNAME')).toMatchObject({
    name: '_acme-challenge.reef.example',
    value: expect.stringMatching(/^[0-9a-f]{24}\.challenges\.atoll\.example$/),
  })
})

test('name servers listen on the addresses that were named, and nowhere else', async () => {
  const dns = (await planOf({})).files.filter(({ path }) => path.includes('atoll-dns'))
  const listens = dns.flatMap(({ text = '' }) => text.match(/^Listen\w+=.*$/gm) ?? [])
  expect(listens.sort()).toEqual([
    'ListenDatagram=203.0.113.10:53',
    'ListenDatagram=[2001:db8::1]:53',
    'ListenStream=203.0.113.10:53',
    'ListenStream=[2001:db8::1]:53',
  ])
})

test('what is missing or cannot be used is said for each flag at once', async () => {
  const { problems } = await answerAll({ console: 'Console', payment: 'barter', smtp: 'mail.example' }, undefined)
  expect(problems.map((line) => line.split(':')[0])).toEqual([
    '--console',
    '--base',
    '--address',
    '--smtp',
    '--payment',
  ])
})

test('an empty answer is the default, which follows from what was answered before', async () => {
  const asked: string[] = []
  const { answers } = await answerAll(least, async ({ name }) => {
    asked.push(name)
    return name === 'https' ? 'proxy' : ' '
  })
  expect(answers).toMatchObject({ wallet: 'wallet.atoll.example', https: 'proxy', backup: 'none' })
  expect(asked).not.toContain('acme-email')
})
