import { availableParallelism } from 'node:os'
import { basename } from 'node:path'
import { defineConfig } from 'vitest/config'
import { BaseSequencer, type TestSpecification } from 'vitest/node'
import { patienceMs } from './packages/testkit/src/patience.ts'
import { kindVariable, waitingTests } from './scripts/testing/kinds.ts'
import { filesOfTier, tierOf } from './scripts/testing/tiers.ts'

const postgres = './packages/testkit/src/postgres/postgres-setup.ts'
const bundledServer = './acceptance/stack/bundled-server.ts'
const serverTemplate = './packages/testkit/src/server-template.ts'
/** How long `expect.poll` asks: as long as `until`, where Vitest alone gives up after a second. */
const patient = { poll: { timeout: patienceMs } }
/** A test or hook that hangs is found either way; one that shares two cores with others is not stopped. */
const testLimitMs = 5 * patienceMs
/**
 * Loading libraries anew for each file took more processor time than the tests of `unit`, and a quarter of those of
 * `integration`. Our own modules are loaded anew.
 */
const sharedLibraries = {
  isolate: false,
  setupFiles: ['./packages/testkit/src/fresh-modules.ts', './packages/testkit/src/property-runs.ts'],
}
const tier = tierOf(process.env)
const kind = process.env[kindVariable]
const ignored = ['**/node_modules/**', '**/dist/**', '**/.tools/**', '**/.cache/**', '**/.data/**']

/**
 * One in thousands meets a busy moment of the host. `npm test` names those that needed their second try; whoever works
 * on a test sees its first.
 */
const secondTries = process.env['CI'] === 'true' ? 1 : 0

/** Tests from outside that make networks, for an LXD or for machines, and have no browser. */
const onNetworks = ['acceptance/lxd/*.test.ts', 'acceptance/self-host/replaced-machine.deep.test.ts']
/** Those that have one. */
const onMachines = 'acceptance/self-host/self-host.deep.test.ts'

/** The files that take longest, longest first. Begun last, one of them would run alone at the end. */
const longest = `
  password-change domain-crashes restic-conformance lxd-cluster newest-restic damaged-pack
  cluster-crashes lxd-provider backup-crashes replace-rights new-machine cluster-soak domain-processes powerdns go-back
  damaged-store drills backup-files retention-vault look lxd retention-restic embedded restic reindex reindex-s3 guards
  ownership replace dns relay operator jobs lookup process-provider agent-link
  crash-operations backup-kills self-backup wallet-domains crash-create backup-drills backup-ends domains bad-input
  backups crash-restore soak start-stop id-or-domain
  crawl every-screen crawl-broken money journey server-backups identity pay-with account-switching sign-in
  billing-console drive live-changes accounts failures cluster-page palette profile unanswered refusals workloads
  server-files other-browsers
`
  .trim()
  .split(/\s+/)
const rankOf = ({ moduleId }: TestSpecification) => {
  const rank = longest.indexOf(basename(moduleId).split('.')[0] ?? '')
  return rank === -1 ? longest.length : rank
}

/** A fresh clone knows nothing of earlier runs: Vitest alone would begin with the largest files. */
class LongestFirst extends BaseSequencer {
  override async sort(files: TestSpecification[]): Promise<TestSpecification[]> {
    return (await super.sort(files)).toSorted((a, b) => rankOf(a) - rankOf(b))
  }
}

/**
 * `unit`: no database, no processes. `integration`: real PostgreSQL and real processes, named `*.integration.test.ts`.
 * `acceptance` drives a running stack from outside, HTTP and Chromium; `npm test` runs it after the others. Chromium
 * drops its connections when the host gets another network interface, so what makes such runs apart:
 * `acceptance-networks` beside the integration tests, `acceptance-machines` alone.
 */
export default defineConfig({
  test: {
    maxWorkers: Math.max(2, availableParallelism()),
    sequence: { sequencer: LongestFirst },
    projects: [
      {
        test: {
          name: 'unit',
          ...filesOfTier(
            tier,
            ['{packages,apps,scripts,release}/**/*.test.{ts,tsx}'],
            [...ignored, '**/*.integration.test.ts'],
          ),
          ...sharedLibraries,
          unstubGlobals: true,
          testTimeout: 2 * patienceMs,
          expect: patient,
        },
      },
      {
        test: {
          name: 'integration',
          ...filesOfTier(tier, ['{packages,apps,scripts,release}/**/*.integration.test.ts'], ignored),
          ...sharedLibraries,
          // In the quick tier it would take longer than it spares: few of these tests start a whole server.
          globalSetup: [...(tier === 'quick' ? [] : [bundledServer]), postgres],
          testTimeout: testLimitMs,
          retry: secondTries,
          expect: patient,
          hookTimeout: testLimitMs,
        },
      },
      fromOutside(
        'acceptance',
        [kind === 'waiting' ? waitingTests : 'acceptance/**/*.test.ts'],
        [...onNetworks, onMachines, ...(kind === 'computing' ? [waitingTests] : [])],
      ),
      fromOutside('acceptance-networks', onNetworks),
      fromOutside('acceptance-machines', [onMachines]),
    ],
  },
})

function fromOutside(name: string, include: string[], exclude: string[] = []) {
  return {
    test: {
      name,
      ...filesOfTier(tier, include, [...ignored, ...exclude]),
      globalSetup: ['./acceptance/stack/built-pages.ts', bundledServer, postgres, serverTemplate],
      testTimeout: testLimitMs,
      expect: patient,
      hookTimeout: testLimitMs,
      retry: secondTries,
    },
  }
}
