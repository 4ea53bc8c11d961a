/** The Debian package on a bare Debian 12: installed, migrated, started, restarted, upgraded and restored. */
import assert from 'node:assert/strict'
import { basename, dirname, join } from 'node:path'
import { until } from '@atoll/testkit'
import { z } from 'zod'
import { projectRoot } from '../scripts/project.ts'
import { proveAlarms } from './debian-alarm-proof.ts'
import { bootDebian, type DebianMachine } from './debian-machine.ts'
import { proveSecondMachine } from './debian-second-machine-proof.ts'
import { proveUpgrades, releaseFolder } from './debian-upgrade-proof.ts'
import type { Identity } from './layout.ts'
import { fill, readGuide } from './testing/guide.ts'

type Prove = (sentence: string, proof: () => Promise<string | undefined>) => Promise<void>

const Fared = z.object({ answered: z.int(), worstMs: z.int(), faults: z.record(z.string(), z.int()) })
const Report = z.object({ checks: z.array(z.looseObject({ name: z.string(), state: z.string() })) })
const page = 'http://127.0.0.1:4800'
const versions = '/usr/lib/atoll/versions'

/** As docs/operate/install.md says it; no authority is reached from here. */
const [setUpAsSaid = '', ...otherCommands] = readGuide().flatMap(({ info, commands }) =>
  info === 'sh on-a-machine' ? commands : [],
)
const setUp = fill(setUpAsSaid, {
  'console.atoll.example': 'console.atoll.test',
  'reef.example': 'reef.test',
  '203.0.113.10': '127.0.0.1',
  'smtps://user:password@mail.example': 'none',
  'sftp:backup@elsewhere.example:/atoll': 'none',
})
  .split(' ')
  .slice(1)
const noAuthority = ['--acme-directory', 'https://127.0.0.1:14000/dir']
/** As docs/operate/move.md says it. */
const moveConsole = `sed -i -e 's|^ATOLL_PUBLIC_URL=.*|ATOLL_PUBLIC_URL=https://harbour.atoll.test|' \\
  -e '$aATOLL_FORMER_URLS=https://console.atoll.test' \\
  -e 's|^ATOLL_EDGE_OWN_HOSTS=|&harbour.atoll.test=127.0.0.1:4800,|' /etc/atoll/atoll.env
atollctl restart`
/** Checks that pass on any machine after setup, regardless of the public DNS. */
const wellAfterSetup = [
  'schema',
  'writes',
  'audit',
  'ledger',
  'secret-key',
  'secret-modes',
  'pooler',
  'time',
  'same-version',
]

export async function proveOnDebian(prove: Prove, folder: string, debianPackage: string, identity: Identity) {
  const { version, commit } = identity
  let machine: DebianMachine | undefined
  const on = async (program: string, ...args: string[]) => {
    assert.ok(machine, 'the machine has not booted')
    return await machine.run(program, ...args)
  }
  /** Runs `act` under requests and asserts that none is refused. */
  async function underRequests(seconds: number, act: () => Promise<void>): Promise<string> {
    const asked = on(
      `${versions}/${version}/node/bin/node`,
      '/var/tmp/steady-requests.mjs',
      `${page}/healthz`,
      String(seconds),
    )
    await act()
    const { answered, worstMs, faults } = Fared.parse(JSON.parse(await asked))
    assert.deepEqual(faults, {})
    return `0 of ${answered} refused, the slowest answered after ${worstMs} ms`
  }
  const health = async () => JSON.parse(await on('curl', '-sS', `${page}/healthz`))
  try {
    await prove('apt installs it on a bare Debian 12, and it starts as the guide says', async () => {
      const ofRelease = [basename(debianPackage), 'SHA256SUMS', 'SHA256SUMS.sig'].map((name) => [
        join(releaseFolder, name),
        join(dirname(debianPackage), name),
      ])
      const files = {
        'var/tmp/steady-requests.mjs': join(projectRoot, 'release/steady-requests.mjs'),
        ...Object.fromEntries(ofRelease),
      }
      machine = await bootDebian(folder, debianPackage, files)
      const began = performance.now()
      await on('atollctl', ...setUp, ...noAuthority)
      await until('each role is ready', async () => {
        for (const port of [4800, 4810, 4811, 4812]) await on('curl', '-sSf', `http://127.0.0.1:${port}/readyz`)
        return true
      })
      assert.deepEqual(await health(), { status: 'ok', version, commit })
      return `set up and all roles ready after ${((performance.now() - began) / 1000).toFixed(1)} s`
    })
    await prove('the checks find nothing wrong with what was set up', async () => {
      const report = Report.parse(
        JSON.parse(await on('atollctl', 'doctor', '--json', '--only', wellAfterSetup.join(','))),
      )
      assert.deepEqual(
        report.checks.filter(({ state }) => state !== 'passed'),
        [],
      )
      return `${report.checks.length} checks`
    })
    await prove('the other commands of the guide that need a machine end well', async () => {
      for (const command of otherCommands) await on('sh', '-ec', command)
      return otherCommands.join('; ')
    })
    await prove('setup can be run again, and keeps key and settings', async () => {
      const key = await on('cat', '/etc/atoll/key')
      await on('atollctl', ...setUp, ...noAuthority)
      assert.equal(await on('cat', '/etc/atoll/key'), key)
      assert.deepEqual(await health(), { status: 'ok', version, commit })
      return undefined
    })
    await prove('a restart of each role refuses nobody', () =>
      underRequests(25, async () => void (await on('atollctl', 'restart'))),
    )
    await prove('a worker that answers no more is started again', async () => {
      const pidOf = async () => (await on('systemctl', 'show', '-p', 'MainPID', '--value', 'atoll@worker')).trim()
      const before = await pidOf()
      await on('kill', '-STOP', before)
      await until('another one runs', async () => !['0', before].includes(await pidOf()), {
        timeoutMs: 120_000,
        intervalMs: 500,
      })
      return undefined
    })
    await proveUpgrades({ prove, on, underRequests, version })
    await proveSecondMachine({ prove, on, folder, debianPackage })
    await proveAlarms({ prove, on, version })
    await prove('the console moves to another name: pages lead there, and calls are answered at both', async () => {
      await on('sh', '-ec', moveConsole)
      const at = (host: string, ...args: string[]) =>
        on('curl', '-sS', '--retry', '20', '--retry-all-errors', '-H', `Host: ${host}`, ...args)
      const asBrowser = ['-H', 'Accept: text/html']
      const led = await at(
        'console.atoll.test',
        ...asBrowser,
        '-o',
        '/dev/null',
        '-w',
        '%{redirect_url}',
        `${page}/clusters?page=2`,
      )
      assert.equal(led, 'https://harbour.atoll.test/clusters?page=2')
      for (const host of ['console.atoll.test', 'harbour.atoll.test']) {
        for (const path of ['/v1/announcements/now', '/api/v1/announcements/now'])
          assert.match(await at(host, '--json', '{}', `${page}${path}`), /"code":/)
      }
      return undefined
    })
  } finally {
    await machine?.stop()
  }
}
